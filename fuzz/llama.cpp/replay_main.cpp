// SPDX-License-Identifier: MIT
// Without a fuzzing engine a target replays files: what a regression test needs.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size);

int main(int argc, char ** argv) {
    for (int i = 1; i < argc; ++i) {
        FILE * file = fopen(argv[i], "rb");
        if (file == nullptr) {
            perror(argv[i]);
            return 2;
        }
        std::vector<uint8_t> bytes;
        uint8_t              buffer[65536];
        while (const size_t got = fread(buffer, 1, sizeof(buffer), file)) {
            bytes.insert(bytes.end(), buffer, buffer + got);
        }
        fclose(file);
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    }
    printf("%d files\n", argc - 1);
    return 0;
}
