// SPDX-License-Identifier: MIT
#pragma once

// What all targets share: the input as a file that has a name, and a library that keeps quiet.

#include "llama.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// A file in memory, written anew for each input. Its name needs neither /dev nor a folder to write to.
class fuzz_file {
  public:
    fuzz_file() : fd(memfd_create("model", MFD_CLOEXEC)) {
        if (fd < 0) {
            perror("memfd_create");
            exit(1);
        }
        snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
    }
    fuzz_file(const fuzz_file &)             = delete;
    fuzz_file & operator=(const fuzz_file &) = delete;
    ~fuzz_file() { close(fd); }

    // A mapping of the last input may still be read from while the next is written: shrink first.
    const char * put(const uint8_t * data, size_t size) {
        bool whole = ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0;
        while (whole && size > 0) {
            const ssize_t written = write(fd, data, size);
            whole                 = written > 0;
            if (whole) {
                data += written;
                size -= (size_t) written;
            }
        }
        if (!whole) {
            perror("write");
            exit(1);
        }
        return name;
    }

  private:
    int  fd;
    char name[32];
};

// Once in a process. What the library tells of every model is of no interest a thousand times a second.
inline void fuzz_start() {
    static const bool started = [] {
        setenv("GGML_NO_BACKTRACE", "1", 1);  // a failed assertion would start a debugger
        if (getenv("LLAMA_FUZZ_VERBOSE") == nullptr) {
            llama_log_set([](enum ggml_log_level, const char *, void *) {}, nullptr);
        }
        llama_backend_init();
        return true;
    }();
    (void) started;
}

// Parameters that do not hang on the machine.
inline llama_model_params fuzz_model_params() {
    llama_model_params params = llama_model_default_params();
    params.n_gpu_layers       = 0;
    return params;
}

inline llama_context_params fuzz_context_params() {
    llama_context_params params = llama_context_default_params();
    params.n_ctx                = 64;
    params.n_batch              = 32;
    params.n_ubatch             = 32;
    params.n_threads            = 1;
    params.n_threads_batch      = 1;
    return params;
}
