// SPDX-License-Identifier: MIT
#include "lib/darwin/signals.h"

#include <stddef.h>
#include <string.h>

static const char *const signals[] = {
	[1] = "SIGHUP",    [2] = "SIGINT",     [3] = "SIGQUIT",
	[4] = "SIGILL",    [5] = "SIGTRAP",    [6] = "SIGABRT",
	[7] = "SIGEMT",    [8] = "SIGFPE",     [9] = "SIGKILL",
	[10] = "SIGBUS",   [11] = "SIGSEGV",   [12] = "SIGSYS",
	[13] = "SIGPIPE",  [14] = "SIGALRM",   [15] = "SIGTERM",
	[16] = "SIGURG",   [17] = "SIGSTOP",   [18] = "SIGTSTP",
	[19] = "SIGCONT",  [20] = "SIGCHLD",   [21] = "SIGTTIN",
	[22] = "SIGTTOU",  [23] = "SIGIO",     [24] = "SIGXCPU",
	[25] = "SIGXFSZ",  [26] = "SIGVTALRM", [27] = "SIGPROF",
	[28] = "SIGWINCH", [29] = "SIGINFO",   [30] = "SIGUSR1",
	[31] = "SIGUSR2",
};

static const char *const ill_codes[] = {
	"ILL_NOOP",   "ILL_ILLOPC", "ILL_ILLTRP", "ILL_PRVOPC", "ILL_ILLOPN",
	"ILL_ILLADR", "ILL_PRVREG", "ILL_COPROC", "ILL_BADSTK",
};

static const char *const trap_codes[] = {
	NULL,
	"TRAP_BRKPT",
	"TRAP_TRACE",
};

static const char *const fpe_codes[] = {
	"FPE_NOOP",   "FPE_FLTDIV", "FPE_FLTOVF", "FPE_FLTUND", "FPE_FLTRES",
	"FPE_FLTINV", "FPE_FLTSUB", "FPE_INTDIV", "FPE_INTOVF",
};

static const char *const bus_codes[] = {
	"BUS_NOOP",
	"BUS_ADRALN",
	"BUS_ADRERR",
	"BUS_OBJERR",
};

static const char *const segv_codes[] = {
	"SEGV_NOOP",
	"SEGV_MAPERR",
	"SEGV_ACCERR",
};

#define NAME_OF(names, number) \
	((number) < ARRAY_SIZE(names) ? (names)[number] : NULL)

/** In plain words (XNU's <sys/signal.h>). */
static const char *const meanings[] = {
	[1] = "its terminal or connection was closed",
	[2] = "it was interrupted from the keyboard",
	[3] = "it was asked to quit",
	[DARWIN_SIGILL] = "an illegal instruction",
	[DARWIN_SIGTRAP] = "a trap instruction",
	[DARWIN_SIGABRT] = "the process aborted, as abort() does",
	[DARWIN_SIGFPE] = "an arithmetic error",
	[DARWIN_SIGKILL] = "killed; a process can neither catch nor block it",
	[DARWIN_SIGBUS] = "a memory access that the memory does not permit",
	[DARWIN_SIGSEGV] = "a memory access to a bad address",
	[DARWIN_SIGSYS] = "a system call that does not exist or is forbidden",
	[DARWIN_SIGPIPE] = "it wrote to a pipe or socket without a reader",
	[DARWIN_SIGTERM] = "it was asked to end",
	[24] = "it exceeded its limit of CPU time",
	[25] = "it exceeded the limit of a file's size",
};

const char *darwin_signal_meaning(uint64_t signal)
{
	return NAME_OF(meanings, signal);
}

const char *darwin_signal_name(uint64_t signal)
{
	return NAME_OF(signals, signal);
}

uint64_t darwin_signal_number(const char *name)
{
	for (size_t i = 1; i < ARRAY_SIZE(signals); i++)
		if (!strcmp(signals[i], name))
			return i;
	return 0;
}

const char *darwin_signal_code_name(uint64_t signal, uint64_t code)
{
	switch (signal) {
	case DARWIN_SIGILL:
		return NAME_OF(ill_codes, code);
	case DARWIN_SIGTRAP:
		return NAME_OF(trap_codes, code);
	case DARWIN_SIGFPE:
		return NAME_OF(fpe_codes, code);
	case DARWIN_SIGBUS:
		return NAME_OF(bus_codes, code);
	case DARWIN_SIGSEGV:
		return NAME_OF(segv_codes, code);
	default:
		return NULL;
	}
}

bool darwin_is_signal_trampoline(const char *symbol)
{
	return !strncmp(symbol, "_sigtramp", strlen("_sigtramp"));
}
