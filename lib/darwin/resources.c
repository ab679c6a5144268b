// SPDX-License-Identifier: MIT
#include "lib/darwin/resources.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

// EXC_RESOURCE: type in bits 63-61, flavor in bits 60-58.

struct resource_event resource_decode(uint64_t code, uint64_t subcode)
{
	struct resource_event event = { .type = RESOURCE_UNKNOWN };

	switch (code >> 61) {
	case RESOURCE_CPU:
		event.limit = code & 0x7f;
		event.unit = "% of a processor";
		event.interval_s = code >> 7 & 0x1ffffff;
		event.observed = subcode & 0x7f;
		break;
	case RESOURCE_WAKEUPS:
		event.limit = code & 0xfffff;
		event.unit = "wakeups per second";
		event.interval_s = code >> 20 & 0xfff;
		event.observed = subcode & 0xfffff;
		break;
	case RESOURCE_MEMORY:
		event.limit = code & 0x1fff;
		event.unit = "MB";
		break;
	case RESOURCE_IO:
		event.limit = code & 0x7fff;
		event.unit = "MB";
		event.interval_s = code >> 15 & 0x1ffff;
		event.observed = subcode & 0x7fff;
		break;
	case RESOURCE_THREADS:
		event.limit = code & 0x7fff;
		event.unit = "threads";
		break;
	case RESOURCE_PORTS:
		event.limit = code & 0xffffff;
		event.unit = "Mach ports";
		break;
	default:
		return event;
	}
	event.type = (enum resource_type)(code >> 61);
	return event;
}

static const struct {
	enum resource_type type;
	const char *name;
	const char *words;
} resources[] = {
	{ RESOURCE_CPU, "CPU", "CPU time" },
	{ RESOURCE_WAKEUPS, "WAKEUPS", "wakeups" },
	{ RESOURCE_MEMORY, "MEMORY", "memory" },
	{ RESOURCE_IO, "IO", "writes to storage" },
	{ RESOURCE_THREADS, "THREADS", "threads" },
	{ RESOURCE_PORTS, "PORTS", "Mach ports" },
};

enum resource_type resource_type_of(const char *subtype)
{
	static const char prefix[] = "RESOURCE_TYPE_";

	if (!subtype)
		return RESOURCE_UNKNOWN;
	if (!strncmp(subtype, prefix, strlen(prefix)))
		subtype += strlen(prefix);
	// `CPU_FATAL`, `CPU (Limit …)`
	for (size_t i = 0; i < sizeof(resources) / sizeof(*resources); i++) {
		size_t size = strlen(resources[i].name);

		if (!strncasecmp(subtype, resources[i].name, size) &&
		    (!subtype[size] || strchr("_ (", subtype[size])))
			return resources[i].type;
	}
	return RESOURCE_UNKNOWN;
}

const char *resource_words(enum resource_type type)
{
	for (size_t i = 0; i < sizeof(resources) / sizeof(*resources); i++)
		if (resources[i].type == type)
			return resources[i].words;
	return "an unnamed resource";
}

// EXC_GUARD: type in bits 63-61, flavor in bits 60-32, target below.

static const struct {
	enum guard_type type;
	const char *object;
	const char *target;
	const char *advice;
} guards[] = {
	{ GUARD_MACH_PORT, "a Mach port", "port",
	  "look for a port right that is released twice, or by other code than "
	  "its owner" },
	{ GUARD_FD, "a file descriptor", "descriptor",
	  "look for a close() of a descriptor that the code does not own: most "
	  "often, one is closed twice" },
	{ GUARD_USER, "a resource that a library guards", "namespace", NULL },
	{ GUARD_VN, "a file", "process",
	  "look for code that renames, removes or writes a file that a library "
	  "such as SQLite has open" },
	{ GUARD_VIRT_MEMORY, "virtual memory", "flags",
	  "look for memory that is deallocated twice or with a wrong size" },
	{ GUARD_REJECTED_SC, "a system call", "call",
	  "the process may not use that system call" },
};

static const struct {
	enum guard_type type;
	uint64_t flavor;
	const char *violation;
} violations[] = {
	{ GUARD_MACH_PORT, 1, "it was destroyed" },
	{ GUARD_MACH_PORT, 2, "its references were changed" },
	{ GUARD_MACH_PORT, 3, "invalid options" },
	{ GUARD_MACH_PORT, 4, "its context was set" },
	{ GUARD_MACH_PORT, 5, "a thread's state was set" },
	{ GUARD_MACH_PORT, 6, "an exception behavior that is not permitted" },
	{ GUARD_MACH_PORT, 7, "a service port was misused" },
	{ GUARD_MACH_PORT, 8, "it is not guarded" },
	{ GUARD_MACH_PORT, 0x10, "the guard is another one" },
	{ GUARD_MACH_PORT, 0x20, "it cannot be moved" },
	{ GUARD_MACH_PORT, 0x40, "a reply that is not permitted" },
	{ GUARD_MACH_PORT, 0x80, "a message was filtered" },
	{ GUARD_MACH_PORT, 0x100, "invalid right" },
	{ GUARD_MACH_PORT, 0x200, "invalid name" },
	{ GUARD_MACH_PORT, 0x400, "invalid value" },
	{ GUARD_MACH_PORT, 0x800, "invalid argument" },
	{ GUARD_MACH_PORT, 0x1000, "the right exists already" },
	{ GUARD_MACH_PORT, 0x2000, "no space for a right" },
	{ GUARD_MACH_PORT, 0x4000, "a failure of the kernel" },
	{ GUARD_MACH_PORT, 0x8000, "a shortage of the kernel's resources" },
	{ GUARD_MACH_PORT, 0x10000, "a message with an invalid reply port" },
	{ GUARD_MACH_PORT, 0x20000, "a message with an invalid voucher" },
	{ GUARD_MACH_PORT, 0x40000, "a message with an invalid right" },
	{ GUARD_MACH_PORT, 0x80000, "invalid name at reception" },
	{ GUARD_MACH_PORT, 0x100000, "a guarded descriptor was received" },
	{ GUARD_FD, 1, "it was closed" },
	{ GUARD_FD, 2, "it was duplicated" },
	{ GUARD_FD, 4, "it was to be inherited" },
	{ GUARD_FD, 8, "it was sent over a socket" },
	{ GUARD_FD, 16, "it was made a file port" },
	{ GUARD_FD, 32, "the guard is another one" },
	{ GUARD_FD, 64, "it was written" },
	{ GUARD_VN, 1, "another file was renamed to it" },
	{ GUARD_VN, 2, "it was renamed" },
	{ GUARD_VN, 4, "it was removed" },
	{ GUARD_VN, 8, "another process wrote it" },
	{ GUARD_VN, 16, "another process truncated it" },
	{ GUARD_VN, 32, "it was linked" },
	{ GUARD_VN, 64, "its data was exchanged" },
	{ GUARD_VN, 128, "its permissions were changed" },
	{ GUARD_MACH_PORT, 0x100001, "a service port was misused" },
	{ GUARD_MACH_PORT, 0x100002, "a provisional reply port was used" },
	{ GUARD_MACH_PORT, 0x200000, "its references were changed" },
	{ GUARD_MACH_PORT, 0x400000, "it cannot be moved" },
	{ GUARD_MACH_PORT, 0x800000, "a reply port was not used as one" },
	{ GUARD_VIRT_MEMORY, 1, "a range with gaps was deallocated" },
	{ GUARD_VIRT_MEMORY, 2, "memory to reclaim could not be read" },
	{ GUARD_VIRT_MEMORY, 3, "a lookup was denied" },
	{ GUARD_VIRT_MEMORY, 4, "an index of memory to reclaim was wrong" },
	{ GUARD_VIRT_MEMORY, 6, "a range was denied" },
	{ GUARD_VIRT_MEMORY, 7, "an access was denied" },
	{ GUARD_VIRT_MEMORY, 8, "reclaimed memory could not be deallocated" },
	{ GUARD_VIRT_MEMORY, 16, "a copy was denied" },
	{ GUARD_VIRT_MEMORY, 32, "sharing was denied" },
	{ GUARD_VIRT_MEMORY, 64, "an access was denied" },
};

/** Advice by operation, in addition to the object's. */
static const struct {
	enum guard_type type;
	uint64_t flavor;
	const char *advice;
} advices[] = {
	{ GUARD_MACH_PORT, 6,
	  "look for code that sets exception ports "
	  "(thread_set_exception_ports(), task_set_exception_ports()), as "
	  "crash reporters do: the system permits it only behaviors that "
	  "protect the thread's state" },
	{ GUARD_MACH_PORT, 0x200,
	  "look for a port name that was deallocated already, or never was "
	  "one: most often, a right is released twice" },
};

enum guard_type guard_type_of(const char *subtype)
{
	static const struct {
		const char *name;
		enum guard_type type;
	} names[] = {
		{ "MACH_PORT", GUARD_MACH_PORT },
		{ "FD", GUARD_FD },
		{ "USER", GUARD_USER },
		{ "VN", GUARD_VN },
		{ "VIRT_MEMORY", GUARD_VIRT_MEMORY },
		{ "REJECTED_SC", GUARD_REJECTED_SC },
	};
	static const char prefix[] = "GUARD_TYPE_";

	if (!subtype || strncmp(subtype, prefix, strlen(prefix)) != 0)
		return GUARD_UNKNOWN;
	subtype += strlen(prefix);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(subtype, names[i].name, strlen(names[i].name)))
			return names[i].type;
	return GUARD_UNKNOWN;
}

const char *guard_object(enum guard_type type)
{
	for (size_t i = 0; i < sizeof(guards) / sizeof(*guards); i++)
		if (guards[i].type == type)
			return guards[i].object;
	return NULL;
}

struct guard_event guard_decode(uint64_t code)
{
	uint64_t flavor = code >> 32 & 0x1fffffff;
	struct guard_event event = { .target = code & UINT32_MAX };

	for (size_t i = 0; i < sizeof(guards) / sizeof(*guards); i++) {
		if (guards[i].type != code >> 61)
			continue;
		event.object = guards[i].object;
		event.target_words = guards[i].target;
		event.advice = guards[i].advice;
	}
	for (size_t i = 0; i < sizeof(violations) / sizeof(*violations); i++)
		if (violations[i].type == code >> 61 &&
		    violations[i].flavor == flavor)
			event.violation = violations[i].violation;
	for (size_t i = 0; i < sizeof(advices) / sizeof(*advices); i++)
		if (advices[i].type == code >> 61 &&
		    advices[i].flavor == flavor)
			event.advice = advices[i].advice;
	return event;
}
