// SPDX-License-Identifier: MIT
#include "lib/symbols/worker/confinement.h"

#include "lib/base/compiler.h"
#include "lib/base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>
#include <unistd.h>
#if defined(__linux__)
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#elif defined(__APPLE__)
#include <sandbox.h>
#endif

/** Number of the kept descriptor, after the standard ones. */
#define KEPT_FD (STDERR_FILENO + 1)
/** Max descriptors to close one by one; more than a program opens. */
#define DESCRIPTORS_MAX 65536

#if defined(__x86_64__)
#define FILTER_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && !defined(__AARCH64EB__)
#define FILTER_ARCH AUDIT_ARCH_AARCH64
#endif
#if defined(__linux__) && defined(FILTER_ARCH) && defined(APMTOOL_CALL_FILTER)
#define HAS_FILTER 1
#endif

static void reset_signals(void)
{
	static const int signals[] = { SIGPIPE, SIGALRM, SIGTERM, SIGCHLD,
		                       SIGXCPU, SIGUSR1, SIGUSR2 };
	// These end the process, unless the parent ignores them, as under nohup
	// and in the background.
	static const int from_terminal[] = { SIGHUP, SIGINT, SIGQUIT };
	sigset_t none;

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		signal(signals[i], SIG_DFL);
	for (size_t i = 0; i < ARRAY_SIZE(from_terminal); i++)
		if (signal(from_terminal[i], SIG_DFL) == SIG_IGN)
			signal(from_terminal[i], SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void close_from(int first)
{
	struct rlimit open_files;

#if defined(__linux__) && defined(SYS_close_range)
	if (!syscall(SYS_close_range, (unsigned)first, ~0u, 0u))
		return;
#endif
	if (getrlimit(RLIMIT_NOFILE, &open_files) ||
	    open_files.rlim_cur > DESCRIPTORS_MAX)
		open_files.rlim_cur = DESCRIPTORS_MAX;
	for (int fd = first; fd < (int)open_files.rlim_cur; fd++)
		close(fd);
}

int confine_descriptors(int kept)
{
	int null;

	// Move it first: the close may not leave a descriptor for the copy.
	if (kept != KEPT_FD && dup2(kept, KEPT_FD) < 0)
		_exit(1);
	close_from(KEPT_FD + 1);
	null = open("/dev/null", O_RDWR);
	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
#ifndef APMTOOL_SANITIZE
		dup2(null, STDERR_FILENO);
#endif
	} else {
		close(STDIN_FILENO);
		close(STDOUT_FILENO);
		close(STDERR_FILENO);
	}
	close_from(KEPT_FD + 1);
	return KEPT_FD;
}

static void limit(process_resource resource, uint64_t soft, uint64_t hard)
{
	const struct rlimit limits = { .rlim_cur = (rlim_t)soft,
		                       .rlim_max = (rlim_t)hard };

	// It may be refused if a lower limit is already set, or (macOS) not
	// supported; the parent also checks the wall clock.
	setrlimit(resource, &limits);
}

static void limit_resources(const struct confinement *limits)
{
	limit(RLIMIT_CORE, 0, 0);
	// SIGXCPU at the soft limit distinguishes this end.
	limit(RLIMIT_CPU, limits->cpu_seconds, limits->cpu_seconds + 1);
#ifndef APMTOOL_SANITIZE
	limit(RLIMIT_AS, limits->memory_bytes, limits->memory_bytes);
#endif
#ifndef APMTOOL_COVERAGE
	limit(RLIMIT_NOFILE, 0, 0);
	limit(RLIMIT_FSIZE, 0, 0);
#endif
#ifdef RLIMIT_NPROC
	limit(RLIMIT_NPROC, 0, 0);
#endif
	alarm(limits->wall_ms / 1000 + 2);
}

#ifdef HAS_FILTER

/** Calls that are allowed with any arguments. */
static const unsigned allowed_calls[] = {
	// New memory; existing mappings do not change.
	SYS_brk, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise,
	// Exit, and signals for it.
	SYS_exit, SYS_exit_group, SYS_rt_sigaction, SYS_rt_sigprocmask,
	SYS_rt_sigreturn, SYS_restart_syscall, SYS_getpid, SYS_gettid,
	SYS_sigaltstack,
	// Time, chance, locks.
	SYS_clock_gettime, SYS_gettimeofday, SYS_getrandom, SYS_futex,
	SYS_sched_yield,
	// Few descriptors are left to close.
	SYS_close
};

/** A call that is allowed for some values of an argument. */
struct filter_rule {
	unsigned call;
	unsigned argument;
	unsigned short comparison; ///< BPF_JEQ or BPF_JSET
	uint32_t value;            ///< for the low 32 bits
};

// Instructions of the filter; jumps are relative to the next one.

static struct sock_filter load(size_t offset)
{
	return (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
	                                    (uint32_t)offset);
}

static struct sock_filter skip_unless(unsigned short comparison, uint32_t value,
                                      uint8_t steps)
{
	return (struct sock_filter)BPF_JUMP(
	        (unsigned short)(BPF_JMP | comparison | BPF_K), value, 0,
	        steps);
}

static struct sock_filter answer(uint32_t action)
{
	return (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
}

/** The low half of an argument; machines are little-endian. */
static struct sock_filter load_argument(unsigned index)
{
	return load(offsetof(struct seccomp_data, args) +
	            index * sizeof(uint64_t));
}

static bool set_filter(void)
{
	const struct filter_rule rules[] = {
		// No files are mapped.
		{ SYS_mmap, 3, BPF_JSET, MAP_ANONYMOUS },
		{ SYS_read, 0, BPF_JEQ, KEPT_FD },
		{ SYS_write, 0, BPF_JEQ, KEPT_FD },
#ifdef APMTOOL_SANITIZE
		{ SYS_write, 0, BPF_JEQ, STDERR_FILENO },
#endif
		// abort() and raise().
		{ SYS_tgkill, 0, BPF_JEQ, (uint32_t)getpid() },
	};
	struct sock_filter
	        code[5 + 2 * ARRAY_SIZE(allowed_calls) + 5 * ARRAY_SIZE(rules)];
	struct sock_fprog program = { .filter = code };
	size_t count = 0;

	code[count++] = load(offsetof(struct seccomp_data, arch));
	// Other architectures have other call numbers.
	code[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
	                                             FILTER_ARCH, 1, 0);
	code[count++] = answer(SECCOMP_RET_KILL_PROCESS);
	code[count++] = load(offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < ARRAY_SIZE(allowed_calls); i++) {
		code[count++] = skip_unless(BPF_JEQ, allowed_calls[i], 1);
		code[count++] = answer(SECCOMP_RET_ALLOW);
	}
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		code[count++] = skip_unless(BPF_JEQ, rules[i].call, 4);
		code[count++] = load_argument(rules[i].argument);
		code[count++] =
		        skip_unless(rules[i].comparison, rules[i].value, 1);
		code[count++] = answer(SECCOMP_RET_ALLOW);
		code[count++] = load(offsetof(struct seccomp_data, nr));
	}
	code[count++] = answer(SECCOMP_RET_ERRNO | EPERM);
	program.len = (unsigned short)count;
	return !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

/** A kernel with filters reads the one at the address. */
static bool has_filter(void)
{
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0) &&
	       errno == EFAULT;
}

#endif

static void restrict_system_calls(void)
{
#ifdef __linux__
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#endif
#ifdef HAS_FILTER
	if (has_filter() && !set_filter())
		_exit(1);
#endif
}

static void enter_sandbox(void)
{
#ifdef __APPLE__
	char *message = NULL;
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
	if (sandbox_init(kSBXProfilePureComputation, SANDBOX_NAMED, &message))
		_exit(1);
#pragma clang diagnostic pop
#endif
}

int confine_process(const struct confinement *limits, int kept)
{
	reset_signals();
	kept = confine_descriptors(kept);
	// Looking up its profile may open files, which is still allowed. The
	// profile allows new sockets, but no descriptor is left.
	enter_sandbox();
	// From here on, no new descriptor can get their numbers.
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
#ifndef APMTOOL_SANITIZE
	close(STDERR_FILENO);
#endif
	limit_resources(limits);
	restrict_system_calls();
	return kept;
}

const char *confinement_summary(void)
{
#if defined(HAS_FILTER)
	if (!has_filter())
		return "child process, resource limits; this kernel has no "
		       "system call filter";
	return "child process, resource limits, system call filter";
#elif defined(__APPLE__)
	return "child process, resource limits, sandbox";
#else
	return "child process, resource limits; no system call filter in this "
	       "build";
#endif
}
