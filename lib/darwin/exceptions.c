// SPDX-License-Identifier: MIT
#include "lib/darwin/exceptions.h"

#include "lib/base/text.h"
#include "lib/darwin/signals.h"

#include <stddef.h>
#include <string.h>

/** General protection fault: a non-canonical address. */
#define I386_GPFLT 13

static const char *const exceptions[] = {
	[1] = "EXC_BAD_ACCESS",     [2] = "EXC_BAD_INSTRUCTION",
	[3] = "EXC_ARITHMETIC",     [4] = "EXC_EMULATION",
	[5] = "EXC_SOFTWARE",       [6] = "EXC_BREAKPOINT",
	[7] = "EXC_SYSCALL",        [8] = "EXC_MACH_SYSCALL",
	[9] = "EXC_RPC_ALERT",      [10] = "EXC_CRASH",
	[11] = "EXC_RESOURCE",      [12] = "EXC_GUARD",
	[13] = "EXC_CORPSE_NOTIFY",
};

/** In plain words, after Apple's notes on crash reports. */
static const char *const meanings[] = {
	[DARWIN_EXC_BAD_ACCESS] = "the accessed memory is not mapped, or "
	                          "does not permit this access",
	[DARWIN_EXC_BAD_INSTRUCTION] = "the processor could not execute an "
	                               "instruction",
	[DARWIN_EXC_ARITHMETIC] = "an arithmetic operation failed",
	[DARWIN_EXC_BREAKPOINT] = "a trap instruction was executed: the "
	                          "program stopped itself",
	[DARWIN_EXC_CRASH] = "the process ended without a fault of the "
	                     "processor: it aborted or was killed",
	[DARWIN_EXC_RESOURCE] = "a limit of a resource was exceeded",
	[DARWIN_EXC_GUARD] = "a guarded resource was misused",
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

#define NAME_OF(names, number) \
	((number) < ARRAY_SIZE(names) ? (names)[number] : NULL)

const char *darwin_exception_name(uint64_t exception)
{
	return NAME_OF(exceptions, exception);
}

uint64_t darwin_exception_number(const char *name)
{
	for (uint64_t i = 1; name && i < ARRAY_SIZE(exceptions); i++)
		if (!strcmp(exceptions[i], name))
			return i;
	return 0;
}

const char *darwin_exception_meaning(uint64_t exception)
{
	return NAME_OF(meanings, exception);
}

const char *darwin_kern_return_name(uint64_t code)
{
	return NAME_OF(kern_returns, code);
}

/**
 * Codes of one kind of processor. Code types begin with the kind: `X86` in
 * `X86-64`.
 */
static const struct {
	const char *kind;
	uint64_t exception;
	uint64_t code;
	const char *name;
	bool has_address;
} processor_codes[] = {
	// The processor does not report the address (XNU's user_trap()).
	{ "X86", DARWIN_EXC_BAD_ACCESS, I386_GPFLT, "EXC_I386_GPFLT", false },
	{ "X86", DARWIN_EXC_ARITHMETIC, 1, "EXC_I386_DIV (divide by zero)",
	  false },
	{ "X86", DARWIN_EXC_ARITHMETIC, 2, "EXC_I386_INTO", false },
	{ "X86", DARWIN_EXC_ARITHMETIC, 3, "EXC_I386_NOEXT", false },
	{ "X86", DARWIN_EXC_ARITHMETIC, 4, "EXC_I386_EXTOVR", false },
	{ "X86", DARWIN_EXC_ARITHMETIC, 5, "EXC_I386_EXTERR", false },
	{ "X86", DARWIN_EXC_ARITHMETIC, 6, "EXC_I386_EMERR", false },
	{ "X86", DARWIN_EXC_ARITHMETIC, 7, "EXC_I386_BOUND", false },
	{ "X86", DARWIN_EXC_ARITHMETIC, 8, "EXC_I386_SSEEXTERR", false },
	{ "ARM", DARWIN_EXC_BAD_ACCESS, 0x101, "EXC_ARM_DA_ALIGN", true },
	{ "ARM", DARWIN_EXC_BAD_ACCESS, 0x102, "EXC_ARM_DA_DEBUG", true },
	{ "ARM", DARWIN_EXC_BAD_ACCESS, 0x103, "EXC_ARM_SP_ALIGN", true },
	{ "ARM", DARWIN_EXC_BAD_ACCESS, 0x104, "EXC_ARM_SWP", true },
	{ "ARM", DARWIN_EXC_BAD_ACCESS, 0x105, "EXC_ARM_PAC_FAIL", true },
	{ "ARM", DARWIN_EXC_BAD_ACCESS, DARWIN_ARM_MTE_TAG_FAULT,
	  "EXC_ARM_MTE_TAG_FAULT", true },
	{ "ARM", DARWIN_EXC_ARITHMETIC, 0, "EXC_ARM_FP_UNDEFINED", false },
	{ "ARM", DARWIN_EXC_ARITHMETIC, 1, "EXC_ARM_FP_IO", false },
	{ "ARM", DARWIN_EXC_ARITHMETIC, 2, "EXC_ARM_FP_DZ", false },
	{ "ARM", DARWIN_EXC_ARITHMETIC, 3, "EXC_ARM_FP_OF", false },
	{ "ARM", DARWIN_EXC_ARITHMETIC, 4, "EXC_ARM_FP_UF", false },
	{ "ARM", DARWIN_EXC_ARITHMETIC, 5, "EXC_ARM_FP_IX", false },
	{ "ARM", DARWIN_EXC_ARITHMETIC, 6, "EXC_ARM_FP_ID", false },
};

struct darwin_exception_code darwin_exception_code(const char *code_type,
                                                   uint64_t exception,
                                                   uint64_t code)
{
	struct text type = text_from(code_type ? code_type : "");

	for (size_t i = 0; i < ARRAY_SIZE(processor_codes); i++)
		if (processor_codes[i].exception == exception &&
		    processor_codes[i].code == code &&
		    text_starts(type, processor_codes[i].kind))
			return (struct darwin_exception_code){
				.name = processor_codes[i].name,
				.has_address = processor_codes[i].has_address,
			};
	// KERN_SUCCESS cannot cause an exception: unknown.
	if (exception != DARWIN_EXC_BAD_ACCESS || !code)
		return (struct darwin_exception_code){ .name = NULL };
	return (struct darwin_exception_code){
		.name = darwin_kern_return_name(code),
		.has_address = true,
	};
}

/**
 * Signals that the kernel makes of an exception (XNU's ux_exception()). Any
 * other has no exception before it: the kernel reports the end of the process
 * as EXC_CRASH, the signal in its code (exit_with_exception()).
 */
static const struct {
	enum darwin_signal signal;
	enum darwin_exception exception;
} signal_exceptions[] = {
	{ DARWIN_SIGSEGV, DARWIN_EXC_BAD_ACCESS },
	{ DARWIN_SIGBUS, DARWIN_EXC_BAD_ACCESS },
	{ DARWIN_SIGILL, DARWIN_EXC_BAD_INSTRUCTION },
	{ DARWIN_SIGFPE, DARWIN_EXC_ARITHMETIC },
	{ DARWIN_SIGEMT, DARWIN_EXC_EMULATION },
	{ DARWIN_SIGTRAP, DARWIN_EXC_BREAKPOINT },
};

const char *darwin_exception_of_signal(const char *signal)
{
	uint64_t number = darwin_signal_number(signal);

	for (size_t i = 0; i < ARRAY_SIZE(signal_exceptions); i++)
		if (signal_exceptions[i].signal == number)
			return exceptions[signal_exceptions[i].exception];
	return number ? exceptions[DARWIN_EXC_CRASH] : NULL;
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
	case DARWIN_EXC_BAD_ACCESS:
		// A stack's guard page also raises SIGSEGV, which the code does
		// not show. The kernel never returns 13 for an access.
		return code == DARWIN_KERN_INVALID_ADDRESS || code == I386_GPFLT
		               ? DARWIN_SIGSEGV
		               : DARWIN_SIGBUS;
	case DARWIN_EXC_BAD_INSTRUCTION:
		return DARWIN_SIGILL;
	case DARWIN_EXC_ARITHMETIC:
		return DARWIN_SIGFPE;
	case DARWIN_EXC_EMULATION:
		return DARWIN_SIGEMT;
	case DARWIN_EXC_SOFTWARE:
		return software_signal(code, subcode);
	case DARWIN_EXC_BREAKPOINT:
		return DARWIN_SIGTRAP;
	case DARWIN_EXC_CRASH:
		// KSCrash writes 0 here for an abort.
		return darwin_signal_name(packed) ? packed : 0;
	case DARWIN_EXC_GUARD:
		return DARWIN_SIGKILL;
	default:
		return 0;
	}
}
