// A loader that tries forbidden acts when it gets a model. The model names the act, as "act:NAME
// ARGUMENT;". If an act succeeds, the loader reports that and refuses the model. The file is a
// libllama, whose functions have the names of llama.cpp's functions, with parameters of other sizes.
// It is also a program that gets the path of a model.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kStandIn = 3, kReport = 4, kRecordBytes = 256 };

static char act[4096];
static char* argument = act;

static bool is_act(const char* name) { return strcmp(act, name) == 0; }

// --- files ---------------------------------------------------------------------------------------

static bool can_read(const char* path) {
  const int file = open(path, O_RDONLY);
  char byte = 0;
  const bool read_it = file >= 0 && read(file, &byte, 1) == 1;
  if (file >= 0) close(file);
  return read_it;
}

static bool can_list(const char* path) {
  DIR* const folder = opendir(path);
  if (folder != NULL) closedir(folder);
  return folder != NULL;
}

static bool can_write(const char* path) {
  for (int flags = 0; flags < 3; ++flags) {
    const int kinds[] = {O_WRONLY, O_RDWR | O_CREAT, O_WRONLY | O_APPEND};
    const int file = open(path, kinds[flags], 0600);
    if (file >= 0) return true;
  }
  return creat(path, 0600) >= 0 || truncate(path, 0) == 0 || unlink(path) == 0 ||
         mkdir(path, 0700) == 0 || rename(path, path) == 0 || chmod(path, 0777) == 0 ||
         symlink("/etc/passwd", path) == 0 || link(path, "/tmp/linked") == 0;
}

// Files of other processes, through the entries of this process and its parent in /proc.
static bool can_escape_by_proc(void) {
  char path[PATH_MAX];
  const char* const own[] = {"/proc/self/root/etc/passwd", "/proc/self/cwd/README.md",
                             "/proc/self/task/../../self/root/etc/passwd", "/proc/1/environ"};
  for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); ++i) {
    if (can_read(own[i])) return true;
  }
  const char* const parents[] = {"mem",  "environ", "maps", "root/etc/passwd",
                                 "fd/0", "fd/1",    "fd/2"};
  for (size_t i = 0; i < sizeof(parents) / sizeof(parents[0]); ++i) {
    snprintf(path, sizeof(path), "/proc/%d/%s", (int)getppid(), parents[i]);
    if (can_read(path) || open(path, O_WRONLY) >= 0) return true;
  }
  return open("/proc/self/mem", O_RDWR) >= 0 || open("/proc/self/oom_score_adj", O_WRONLY) >= 0;
}

static bool can_change_stand_in(void) {
  signal(SIGXFSZ, SIG_IGN);
  return open("/proc/self/fd/3", O_RDWR) >= 0 || ftruncate(kStandIn, 1) == 0 ||
         pwrite(kStandIn, "X", 1, 0) == 1 || write(kStandIn, "X", 1) == 1 ||
         syscall(SYS_mmap, NULL, 4096, PROT_WRITE, MAP_SHARED, kStandIn, 0) >= 0;
}

// --- other processes, and the network ------------------------------------------------------------

static bool can_connect(void) {
  const int kinds[] = {AF_INET, AF_INET6, AF_UNIX, AF_NETLINK, AF_PACKET};
  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); ++i) {
    if (socket(kinds[i], SOCK_STREAM, 0) >= 0 || socket(kinds[i], SOCK_DGRAM, 0) >= 0) return true;
  }
  int ends[2];
  return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0;
}

// ARGUMENT is the name of an abstract socket on which a test listens.
static bool can_connect_abstractly(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path + 1, argument, sizeof(address.sun_path) - 2);
  const socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(argument));
  const int end = socket(AF_UNIX, SOCK_STREAM, 0);
  // Also on a descriptor that is not a socket.
  return connect(end >= 0 ? end : kReport, (struct sockaddr*)&address, size) == 0;
}

static bool can_signal(void) {
  return kill(getppid(), 0) == 0 || kill(getppid(), SIGTERM) == 0 || kill(-1, SIGTERM) == 0 ||
         syscall(SYS_tgkill, getppid(), getppid(), SIGTERM) == 0 ||
         syscall(SYS_tkill, getppid(), SIGTERM) == 0 ||
         syscall(SYS_pidfd_open, getppid(), 0) >= 0 ||
         syscall(SYS_rt_sigqueueinfo, getppid(), SIGTERM, NULL) == 0;
}

static bool can_trace(void) {
  char byte = 0;
  struct iovec here = {&byte, 1};
  return ptrace(PTRACE_ATTACH, getppid(), NULL, NULL) == 0 ||
         ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) == 0 ||
         ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 ||
         process_vm_readv(getppid(), &here, 1, &here, 1, 0) >= 0 ||
         process_vm_writev(getppid(), &here, 1, &here, 1, 0) >= 0;
}

static int child_of_clone(void* nothing) {
  (void)nothing;
  pause();
  return 0;
}

static bool can_make_processes(void) {
  static char stack[65536];
  for (int i = 0; i < 1000; ++i) {
    const pid_t child = fork();
    if (child == 0) pause();
    if (child > 0) return true;
  }
  return clone(child_of_clone, stack + sizeof(stack), SIGCHLD, NULL) > 0 || vfork() > 0;
}

// Memory that belongs to no file and is not counted as memory of this process.
static bool can_share_memory(void) {
  return mmap(NULL, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED ||
         mmap(NULL, 4096, PROT_READ, MAP_SHARED_VALIDATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED ||
         open("/dev/zero", O_RDONLY) >= 0;
}

static bool can_ask_for_more(void) {
  const struct rlimit more = {RLIM_INFINITY, RLIM_INFINITY};
  int ends[2];
  return setrlimit(RLIMIT_CPU, &more) == 0 || setrlimit(RLIMIT_NOFILE, &more) == 0 ||
         prctl(PR_SET_PDEATHSIG, 0) == 0 || prctl(PR_SET_DUMPABLE, 0) == 0 ||
         syscall(SYS_memfd_create, "more", 0) >= 0 || shmget(IPC_PRIVATE, 4096, IPC_CREAT) >= 0 ||
         pipe(ends) == 0 || unshare(CLONE_NEWUSER) == 0 || unshare(CLONE_NEWNS) == 0 ||
         mount("none", "/tmp", "tmpfs", 0, NULL) == 0 || syscall(SYS_keyctl, 0, -3, 1) >= 0 ||
         syscall(SYS_io_uring_setup, 1, NULL) >= 0 || syscall(SYS_bpf, 0, NULL, 0) >= 0 ||
         syscall(SYS_userfaultfd, 0) >= 0 ||
         syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0) >= 0 ||
         ioctl(STDERR_FILENO, TIOCSTI, "x") == 0 || setpgid(0, getppid()) == 0 || setsid() > 0 ||
         mlock(&ends, sizeof(ends)) == 0 || chroot("/") == 0 || setuid(0) == 0 ||
         setpriority(PRIO_PROCESS, 0, -5) == 0;
}

// --- more than it may have -----------------------------------------------------------------------

static void take_memory(void) {
  const size_t piece = (size_t)16 << 20;
  for (size_t taken = 0; taken < (size_t)10 << 30; taken += piece) {
    volatile char* const more = malloc(piece);  // volatile, so that the compiler keeps the writes
    for (size_t at = 0; more != NULL && at < piece; at += 4096) more[at] = 1;
  }
}

// Pages of the stand-in that are no longer in any mapping of this process.
static void take_hidden_memory(void) {
  struct stat facts;
  fstat(kStandIn, &facts);
  const long piece = 1 << 20;
  for (long at = 0; at + piece <= facts.st_size; at += piece) {
    char* const mapped = (char*)syscall(SYS_mmap, NULL, piece, PROT_READ, MAP_SHARED, kStandIn, at);
    for (long page = 0; mapped != MAP_FAILED && page < piece; page += 4096) {
      *(volatile char*)(mapped + page);
    }
    munmap(mapped, (size_t)piece);
  }
  sleep(10);
}

static void* wait_for_ever(void* nothing) {
  (void)nothing;
  for (;;) sleep(1000);
  return NULL;
}

static void take_threads(void) {
  for (int i = 0; i < 2000; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_ever, NULL);
  }
  sleep(10);
}

static void take_time(void) {
  signal(SIGXCPU, SIG_IGN);
  for (volatile unsigned long i = 0;; ++i) {
  }
}

static void write_for_ever(void) {
  char line[4096];
  memset(line, 'x', sizeof(line));
  for (;;) {
    if (write(STDERR_FILENO, line, sizeof(line)) < 0) _exit(9);
  }
}

// --- what is not so ------------------------------------------------------------------------------

static void forge(void) {
  unsigned char record[kRecordBytes] = {0};
  record[16] = 5;   // finished
  record[17] = 12;  // done
  if (write(kReport, record, sizeof(record)) < 0) _exit(9);
  _exit(0);
}

static void read_act(void) {
  static char front[1 << 16];
  const ssize_t size = pread(kStandIn, front, sizeof(front) - 1, 0);
  char* const at = size > 0 ? memmem(front, (size_t)size, "act:", 4) : NULL;
  if (at == NULL) return;
  char* const end = strchr(at, ';');
  if (end == NULL || end - at >= (ptrdiff_t)sizeof(act)) return;
  memcpy(act, at + 4, (size_t)(end - at) - 4);
  argument = strchr(act, ' ');
  if (argument == NULL) {
    argument = act + strlen(act);
  } else {
    *argument++ = '\0';
  }
}

// The last byte of each page is 0 behind the front, as many bytes as the argument says.
static bool has_zeros_for_weights(const char* front) {
  struct stat facts;
  if (fstat(kStandIn, &facts) != 0) return false;
  const size_t size = (size_t)facts.st_size;
  const char* const all = mmap(NULL, size, PROT_READ, MAP_SHARED, kStandIn, 0);
  if (all == MAP_FAILED || memcmp(all, "GGUF", 4) != 0) return false;
  for (size_t at = (size_t)atoll(front); at < size; at += 4096) {
    if (all[at] != 0) return false;
  }
  return true;
}

// --- large blocks that are set to zero -----------------------------------------------------------

static char* map_block(size_t size, int protection, int flags, int file) {
  char* const block = mmap(NULL, size, protection, MAP_PRIVATE | flags, file, 0);
  if (block == MAP_FAILED) _exit(9);
  return block;
}

static bool is_zero(const volatile char* block, size_t begin, size_t end) {
  for (size_t at = begin; at < end; ++at) {
    if (block[at] != 0) return false;
  }
  return true;
}

// Whether memset() differs from that of the C library. The first block would exceed a limit.
static bool clears_wrongly(void) {
  const size_t large = (size_t)512 << 20, small = (size_t)8 << 20;
  memset(map_block(large, PROT_READ | PROT_WRITE, MAP_ANONYMOUS, -1), 0, large);

  char* const block = map_block(small, PROT_READ | PROT_WRITE, MAP_ANONYMOUS, -1);
  memset(block, 'x', small);
  if (memset(block + 5, 0, small - 11) != block + 5) return true;
  if (!is_zero(block, 5, small - 6) || block[4] != 'x' || block[small - 6] != 'x') return true;

  // The pages of a file would get its content again.
  char* const filed = map_block(small, PROT_READ | PROT_WRITE, 0, kStandIn);
  if (memcmp(filed, "GGUF", 4) != 0) return true;
  memset(filed, 0, small);
  return !is_zero(filed, 0, small);
}

// Whether memcpy() differs from that of the C library. The first copy would exceed a limit.
static bool copies_wrongly(void) {
  const size_t large = (size_t)512 << 20, small = (size_t)8 << 20;
  const int both = PROT_READ | PROT_WRITE;
  const char* const zeros = map_block(large, PROT_READ, MAP_ANONYMOUS, -1);
  memcpy(map_block(large, both, MAP_ANONYMOUS, -1), zeros, large);

  // One byte in each second page differs from zero, and so do the first and the last.
  char* const from = map_block(small, both, MAP_ANONYMOUS, -1);
  char* const to = map_block(small, both, MAP_ANONYMOUS, -1);
  for (size_t at = 3; at < small; at += 8192) from[at] = 'y';
  from[1] = from[small - 8] = 'y';
  memset(to, 'x', small);
  if (memcpy(to + 5, from + 1, small - 8) != to + 5) return true;
  if (memcmp(to + 5, from + 1, small - 8) != 0) return true;
  if (to[4] != 'x' || to[small - 3] != 'x') return true;

  // The pages of a file would get its content again.
  char* const filed = map_block(small, both, 0, kStandIn);
  memcpy(filed, zeros, small);
  return !is_zero(filed, 0, small);
}

static void clear_what_is_read_only(void) {
  const size_t size = (size_t)8 << 20;
  char* const block = map_block(size, PROT_READ | PROT_WRITE, MAP_ANONYMOUS, -1);
  mprotect(block + size / 2, 4096, PROT_READ);
  memset(block, 0, size);
}

static bool succeeds(void) {
  if (is_act("read")) return can_read(argument);
  if (is_act("list")) return can_list(argument);
  if (is_act("write")) return can_write(argument);
  if (is_act("proc")) return can_escape_by_proc();
  if (is_act("stand-in")) return can_change_stand_in();
  if (is_act("connect")) return can_connect();
  if (is_act("abstract")) return can_connect_abstractly();
  if (is_act("signal")) return can_signal();
  if (is_act("trace")) return can_trace();
  if (is_act("fork")) return can_make_processes();
  if (is_act("more")) return can_ask_for_more();
  if (is_act("share")) return can_share_memory();
  if (is_act("exec")) return execl(argument, argument, (char*)NULL) == 0;
  if (is_act("weights")) return !has_zeros_for_weights(argument);
  if (is_act("clear")) return clears_wrongly();
  if (is_act("copy")) return copies_wrongly();
  if (is_act("clear-read-only")) clear_what_is_read_only();
  if (is_act("abort")) abort();
  if (is_act("code")) exit(atoi(argument));
  if (is_act("memory")) take_memory();
  if (is_act("hidden-memory")) take_hidden_memory();
  if (is_act("threads")) take_threads();
  if (is_act("time")) take_time();
  if (is_act("sleep")) sleep(1000);
  if (is_act("output")) write_for_ever();
  if (is_act("forge")) forge();
  if (is_act("exit")) exit(0);
  if (is_act("close")) close(kReport);
  if (is_act("kill")) raise(SIGKILL);
  if (is_act("say")) {
    fprintf(stderr, "error: \x1b[2J\x1b]0;title\a::error::%s\n", argument);
    return true;
  }
  return false;
}

// --- the interface -------------------------------------------------------------------------------

struct params {
  long fields[12];
};
struct batch {
  int count;
  void* fields[6];
};

const char* llama_version(void) { return "hostile 1"; }
void llama_backend_init(void) {}
struct params llama_model_default_params(void) { return (struct params){{1}}; }
struct params llama_context_default_params(void) { return (struct params){{2}}; }
void* llama_model_load_from_file(const char* path, struct params params) {
  if (strcmp(path, "/proc/self/fd/3") != 0 || params.fields[0] != 1) return NULL;
  read_act();
  if (!succeeds()) return act;
  fprintf(stderr, "the act %s succeeded\n", act);
  return NULL;
}
// A set of shards is loaded if each can be opened and begins with the magic.
void* llama_model_load_from_splits(const char** paths, size_t count, struct params params) {
  static char model[] = "shards";
  if (count < 2 || params.fields[0] != 1) return NULL;
  for (size_t i = 0; i < count; ++i) {
    char magic[4] = {0};
    const int file = open(paths[i], O_RDONLY | O_CLOEXEC);
    const bool sound =
        file >= 0 && read(file, magic, sizeof(magic)) == 4 && memcmp(magic, "GGUF", 4) == 0;
    if (file >= 0) close(file);
    if (!sound) return NULL;
  }
  return model;
}
void llama_model_free(void* model) { (void)model; }
const void* llama_model_get_vocab(const void* model) { return model; }
int llama_vocab_n_tokens(const void* vocab) { return vocab != NULL; }
int llama_vocab_type(const void* vocab) { return vocab == NULL; }
int llama_tokenize(const void* vocab, const char* text, int size, int* tokens, int room,
                   bool special, bool parse) {
  (void)vocab, (void)text, (void)size, (void)tokens, (void)room, (void)special, (void)parse;
  return 0;
}
int llama_token_to_piece(const void* vocab, int token, char* text, int room, int strip,
                         bool special) {
  (void)vocab, (void)token, (void)text, (void)room, (void)strip, (void)special;
  return 0;
}
void* llama_init_from_model(void* model, struct params params) {
  return params.fields[0] == 2 ? model : NULL;
}
void llama_free(void* context) { (void)context; }
struct batch llama_batch_get_one(int* tokens, int count) {
  return (struct batch){count, {tokens, NULL, NULL, NULL, NULL, NULL}};
}
int llama_decode(void* context, struct batch batch) { return context == NULL || batch.count < 1; }
const float* llama_get_logits_ith(void* context, int at) {
  static const float logit = 1;
  return context != NULL && at == -1 ? &logit : NULL;
}

// --- the program ---------------------------------------------------------------------------------

int main(int count, char** words) {
  if (count != 3 || strcmp(words[1], "-m") != 0 || !can_read(words[2])) {
    fprintf(stderr, "usage: hostile_command -m MODEL\n");
    return 9;
  }
  read_act();
  if (!succeeds()) return 0;
  fprintf(stderr, "the act %s succeeded\n", act);
  return 1;
}
