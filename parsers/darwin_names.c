#include "parsers/darwin_names.h"

#include <stddef.h>

/** Mach exceptions, from 1. */
enum {
	EXC_BAD_ACCESS = 1,
	EXC_BAD_INSTRUCTION = 2,
	EXC_ARITHMETIC = 3,
	EXC_EMULATION = 4,
	EXC_SOFTWARE = 5,
	EXC_BREAKPOINT = 6,
	EXC_CRASH = 10,
	EXC_GUARD = 12,
};

/** Darwin's signals; <signal.h> would give those of the host. */
enum {
	DARWIN_SIGILL = 4,
	DARWIN_SIGTRAP = 5,
	DARWIN_SIGABRT = 6,
	DARWIN_SIGEMT = 7,
	DARWIN_SIGFPE = 8,
	DARWIN_SIGKILL = 9,
	DARWIN_SIGBUS = 10,
	DARWIN_SIGSEGV = 11,
	DARWIN_SIGSYS = 12,
	DARWIN_SIGPIPE = 13,
};

#define KERN_INVALID_ADDRESS 1

static const char *const exceptions[] = {
	[1] = "EXC_BAD_ACCESS",     [2] = "EXC_BAD_INSTRUCTION",
	[3] = "EXC_ARITHMETIC",     [4] = "EXC_EMULATION",
	[5] = "EXC_SOFTWARE",       [6] = "EXC_BREAKPOINT",
	[7] = "EXC_SYSCALL",        [8] = "EXC_MACH_SYSCALL",
	[9] = "EXC_RPC_ALERT",      [10] = "EXC_CRASH",
	[11] = "EXC_RESOURCE",      [12] = "EXC_GUARD",
	[13] = "EXC_CORPSE_NOTIFY",
};

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

static const char *const kern_returns[] = {
	"KERN_SUCCESS",
	"KERN_INVALID_ADDRESS",
	"KERN_PROTECTION_FAILURE",
	"KERN_NO_SPACE",
	"KERN_INVALID_ARGUMENT",
	"KERN_FAILURE",
	"KERN_RESOURCE_SHORTAGE",
	"KERN_NOT_RECEIVER",
	"KERN_NO_ACCESS",
	"KERN_MEMORY_FAILURE",
	"KERN_MEMORY_ERROR",
	"KERN_ALREADY_IN_SET",
	"KERN_NOT_IN_SET",
	"KERN_NAME_EXISTS",
	"KERN_ABORTED",
	"KERN_INVALID_NAME",
	"KERN_INVALID_TASK",
	"KERN_INVALID_RIGHT",
	"KERN_INVALID_VALUE",
	"KERN_UREFS_OVERFLOW",
	"KERN_INVALID_CAPABILITY",
	"KERN_RIGHT_EXISTS",
	"KERN_INVALID_HOST",
	"KERN_MEMORY_PRESENT",
	"KERN_MEMORY_DATA_MOVED",
	"KERN_MEMORY_RESTART_COPY",
	"KERN_INVALID_PROCESSOR_SET",
	"KERN_POLICY_LIMIT",
	"KERN_INVALID_POLICY",
	"KERN_INVALID_OBJECT",
	"KERN_ALREADY_WAITING",
	"KERN_DEFAULT_SET",
	"KERN_EXCEPTION_PROTECTED",
	"KERN_INVALID_LEDGER",
	"KERN_INVALID_MEMORY_CONTROL",
	"KERN_INVALID_SECURITY",
	"KERN_NOT_DEPRESSED",
	"KERN_TERMINATED",
	"KERN_LOCK_SET_DESTROYED",
	"KERN_LOCK_UNSTABLE",
	"KERN_LOCK_OWNED",
	"KERN_LOCK_OWNED_SELF",
	"KERN_SEMAPHORE_DESTROYED",
	"KERN_RPC_SERVER_TERMINATED",
	"KERN_RPC_TERMINATE_ORPHAN",
	"KERN_RPC_CONTINUE_ORPHAN",
	"KERN_NOT_SUPPORTED",
	"KERN_NODE_DOWN",
	"KERN_NOT_WAITING",
	"KERN_OPERATION_TIMED_OUT",
	"KERN_CODESIGN_ERROR",
	"KERN_POLICY_STATIC",
	"KERN_INSUFFICIENT_BUFFER_SIZE",
	"KERN_DENIED",
	"KERN_MISSING_KC",
	"KERN_INVALID_KC",
	"KERN_NOT_FOUND",
};

static const char *name_of(const char *const *names, size_t count,
                           uint64_t number)
{
	return number < count ? names[number] : NULL;
}

#define NAME_OF(names, number) name_of((names), ARRAY_SIZE(names), (number))

const char *darwin_exception_name(uint64_t exception)
{
	return NAME_OF(exceptions, exception);
}

const char *darwin_signal_name(uint64_t signal)
{
	return NAME_OF(signals, signal);
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

const char *darwin_kern_return_name(uint64_t code)
{
	return NAME_OF(kern_returns, code);
}

/** EXC_SOFTWARE: its codes begin with EXC_UNIX_BAD_SYSCALL. */
static uint64_t software_signal(uint64_t code, uint64_t subcode)
{
	switch (code) {
	case 0x10000:
		return DARWIN_SIGSYS;
	case 0x10001:
		return DARWIN_SIGPIPE;
	case 0x10002:
		return DARWIN_SIGABRT;
	case 0x10003:
		return darwin_signal_name(subcode) ? subcode : 0;
	default:
		return 0;
	}
}

uint64_t darwin_default_signal(uint64_t exception, uint64_t code,
                               uint64_t subcode)
{
	uint64_t packed = code >> 24 & 0xff;

	switch (exception) {
	case EXC_BAD_ACCESS:
		// A stack's guard page makes it SIGSEGV as well: the code does
		// not tell.
		return code == KERN_INVALID_ADDRESS ? DARWIN_SIGSEGV
		                                    : DARWIN_SIGBUS;
	case EXC_BAD_INSTRUCTION:
		return DARWIN_SIGILL;
	case EXC_ARITHMETIC:
		return DARWIN_SIGFPE;
	case EXC_EMULATION:
		return DARWIN_SIGEMT;
	case EXC_SOFTWARE:
		return software_signal(code, subcode);
	case EXC_BREAKPOINT:
		return DARWIN_SIGTRAP;
	case EXC_CRASH:
		// KSCrash writes 0 here for an abort.
		return darwin_signal_name(packed) ? packed : 0;
	case EXC_GUARD:
		return DARWIN_SIGKILL;
	default:
		return 0;
	}
}
