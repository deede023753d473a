// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CSeal.h"

#ifdef __linux__
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

bool fovea_end_with_parent(int parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The parent may have ended before the signal was requested.
  return getppid() == parent;
}

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// Definitions that older kernel headers lack. Source: linux/landlock.h of 6.12.
#ifndef __NR_landlock_create_ruleset
#define __NR_landlock_create_ruleset 444
#define __NR_landlock_restrict_self 446
#endif

// The members of landlock_ruleset_attr; older kernels know only the first ones.
struct handled {
  uint64_t files;
  uint64_t network;
  uint64_t scopes;
};

// Denies every access that the kernel's Landlock handles, for the calling thread and threads that it starts.
// Returns the version of Landlock, below 1 if there is none.
static long restrict_files(void) {
  long version = syscall(__NR_landlock_create_ruleset, NULL, 0, 1);
  if (version < 1) return version;
  struct handled handled = {
      .files = version >= 5 ? 0xFFFF : version >= 3 ? 0x7FFF : version == 2 ? 0x3FFF : 0x1FFF,
      .network = version >= 4 ? 3 : 0,
      .scopes = version >= 6 ? 1 : 0,
  };
  size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  long rules = syscall(__NR_landlock_create_ruleset, &handled, size, 0);
  if (rules < 0) return -1;
  long status = syscall(__NR_landlock_restrict_self, (int)rules, 0);
  close((int)rules);
  return status == 0 ? version : -1;
}

#ifdef OWN_ARCHITECTURE

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, (action))
#define REFUSE(number) ANSWER(SECCOMP_RET_ERRNO | ((number)&SECCOMP_RET_DATA))
// Skips `count` statements unless the accumulator is `value`.
#define UNLESS(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (count))
#define ALLOW(name) UNLESS(__NR_##name, 1), ANSWER(SECCOMP_RET_ALLOW)
// The low and high halves of an argument; both architectures are little endian.
#define LOW(index) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * (index))
#define HIGH(index) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * (index) + 4)

// The flags with which the C library starts a thread instead of a process.
#define THREAD_FLAGS (0x00000100 | 0x00000800 | 0x00010000)  // CLONE_VM, CLONE_SIGHAND, CLONE_THREAD
#define NAMESPACE_FLAGS 0x7E020080  // CLONE_NEWTIME … CLONE_NEWNET, CLONE_NEWNS

static bool restrict_calls(bool all) {
  struct sock_filter filter[] = {
      LOAD(arch),
      UNLESS(OWN_ARCHITECTURE, 1),
      BPF_STMT(BPF_JMP | BPF_JA, 1),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      LOAD(nr),
      // Memory.
      ALLOW(brk), ALLOW(mmap), ALLOW(munmap), ALLOW(mremap), ALLOW(mprotect), ALLOW(madvise), ALLOW(membarrier),
      // Threads, waiting and time.
      ALLOW(futex), ALLOW(set_robust_list), ALLOW(get_robust_list), ALLOW(set_tid_address), ALLOW(rseq),
      ALLOW(sched_yield), ALLOW(sched_getaffinity), ALLOW(getcpu), ALLOW(gettid), ALLOW(getpid), ALLOW(getppid),
      ALLOW(nanosleep), ALLOW(clock_nanosleep), ALLOW(clock_gettime), ALLOW(clock_getres), ALLOW(gettimeofday),
      ALLOW(restart_syscall), ALLOW(exit), ALLOW(exit_group), ALLOW(getrusage), ALLOW(times),
      // Signals to itself.
      ALLOW(rt_sigaction), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(rt_sigpending), ALLOW(sigaltstack),
      // Open descriptors, and those that the process makes for its own threads.
      ALLOW(read), ALLOW(readv), ALLOW(pread64), ALLOW(write), ALLOW(writev), ALLOW(pwrite64), ALLOW(lseek),
      ALLOW(close), ALLOW(fstat), ALLOW(dup), ALLOW(dup3), ALLOW(pipe2), ALLOW(eventfd2),
      ALLOW(ppoll), ALLOW(pselect6), ALLOW(epoll_create1), ALLOW(epoll_ctl), ALLOW(epoll_pwait),
      ALLOW(timerfd_create), ALLOW(timerfd_settime), ALLOW(timerfd_gettime),
#ifdef __x86_64__
      ALLOW(time), ALLOW(dup2), ALLOW(pipe), ALLOW(poll), ALLOW(select), ALLOW(epoll_wait),
#endif
      // The machine and its limits.
      ALLOW(sysinfo), ALLOW(uname), ALLOW(getrandom), ALLOW(getuid), ALLOW(geteuid), ALLOW(getgid), ALLOW(getegid),
      ALLOW(getrlimit),
      // Only reading a limit: the pointer to the new limit must be null.
      UNLESS(__NR_prlimit64, 6),
      LOW(2), UNLESS(0, 3), HIGH(2), UNLESS(0, 1), ANSWER(SECCOMP_RET_ALLOW), REFUSE(EPERM),
      // Only the flags of descriptors, not their owner's signal or leases.
      UNLESS(__NR_fcntl, 5),
      LOW(1), BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, 4, 1, 0), ANSWER(SECCOMP_RET_ALLOW),
      UNLESS(1030, 1), ANSWER(SECCOMP_RET_ALLOW),  // F_DUPFD_CLOEXEC
      // Only the name of a thread, not the signal at its parent's end.
      LOAD(nr),
      UNLESS(__NR_prctl, 4),
      LOW(0), UNLESS(PR_SET_NAME, 1), ANSWER(SECCOMP_RET_ALLOW), REFUSE(EPERM),
      // The C library tries clone3 first, whose structure cannot be checked here, and falls back to clone.
#ifdef __NR_clone3
      LOAD(nr),
      UNLESS(__NR_clone3, 1), REFUSE(ENOSYS),
#endif
      LOAD(nr),
      UNLESS(__NR_clone, 6),
      LOW(0), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMESPACE_FLAGS, 3, 0),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, THREAD_FLAGS), UNLESS(THREAD_FLAGS, 1), ANSWER(SECCOMP_RET_ALLOW),
      REFUSE(EPERM),
      // A process aborts by sending itself a signal.
      LOAD(nr),
      UNLESS(__NR_tgkill, 4),
      LOW(0), UNLESS((uint32_t)getpid(), 1), ANSWER(SECCOMP_RET_ALLOW), REFUSE(EPERM),
      LOAD(nr),
      UNLESS(__NR_openat, 1), REFUSE(EACCES),
      REFUSE(EPERM),
  };
  struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
  return syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, all ? SECCOMP_FILTER_FLAG_TSYNC : 0, &program) == 0;
}

#else

static bool restrict_calls(bool all) { return false; }

#endif

// The maximum size of a file that a sealed process writes, as one of its streams or already open in memory.
#define FILE_LIMIT (16 << 20)
// The number of threads that a sealed process can add to those of the machine.
#define THREAD_LIMIT 1024

// Lowers a limit of the process for good, never below what the process was given.
static void lower_limit(int resource, rlim_t value) {
  struct rlimit limit;
  if (prlimit(0, resource, NULL, &limit) != 0) return;
  if (limit.rlim_max < value) value = limit.rlim_max;
  limit.rlim_cur = limit.rlim_max = value;
  prlimit(0, resource, &limit, NULL);
}

// Bounds what a limit on the address space does not count: the pages of files, and the kernel's memory for
// threads. The system counts the threads of the user, not of the process, and not those of root.
static void limit_growth(void) {
  lower_limit(RLIMIT_CORE, 0);
  lower_limit(RLIMIT_FSIZE, FILE_LIMIT);
  struct sysinfo machine;
  if (sysinfo(&machine) == 0) lower_limit(RLIMIT_NPROC, (rlim_t)machine.procs + THREAD_LIMIT);
}

fovea_seal fovea_seal_threads(bool all) {
  if (all) limit_growth();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return FOVEA_SEAL_NONE;
  long version = restrict_files();
  if (restrict_calls(all)) return FOVEA_SEAL_CALLS;
  // Before version 4 the network stays open.
  return version >= 4 ? FOVEA_SEAL_FILES : FOVEA_SEAL_NONE;
}

#else

#include <unistd.h>

bool fovea_end_with_parent(int parent) { return getppid() == parent; }

fovea_seal fovea_seal_threads(bool all) { return FOVEA_SEAL_NONE; }

#endif
