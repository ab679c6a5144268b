// SPDX-License-Identifier: MIT
#include "lib/darwin/headline_words.h"

#include "lib/base/compiler.h"

// Sources: swift/stdlib/public, dyld's sources, runtime/panic.go and
// runtime/error.go of Go, library/std/src/rt.rs of Rust, mono and Unity's
// manuals, PHP's Zend engine.

static const char *const swift[] = {
	"Index out of range",
	"index out of range",
	"Unexpectedly found nil",
	"unexpectedly found nil",
	"Array index",
	"Negative count",
	"Negative value is not representable",
	"Negative Array index",
	"Can't form ",
	"Can't remove ",
	"Can't construct ",
	"Can't advance ",
	"Can't unsafeBitCast ",
	"Can't take ",
	"Can't drop ",
	"Cannot increment ",
	"Cannot decrement ",
	"Cannot index ",
	"Cannot bridge ",
	"Not enough bits",
	"Division by zero",
	"Division results in",
	"Range requires",
	"Range out of bounds",
	"Double value cannot",
	"Float value cannot",
	"Attempted to read an",
	"'try!' expression",
	"Dictionary literal",
	"Duplicate keys of type",
	"Duplicate elements of type",
	"UnsafeMutable",
	"UnsafeBufferPointer",
	"UnsafeRawBufferPointer",
	"Object was retained",
	"Object 0x",
	"Stack overflow",
	"Use of unimplemented",
	"init(coder:)",
	"Insufficient space",
	"String index is out",
	"Substring index",
	"Arithmetic overflow",
	"Arithmetic operation '",
	"Incorrect actor executor",
	"Concurrent access",
	"Simultaneous accesses",
	"Call of deleted",
	"Block was expected to execute",
	"SWIFT TASK CONTINUATION MISUSE",
};

static const char *const not_swift[] = {
	// PHP
	"Uncaught ",
	"Allowed memory size",
	"Maximum execution time",
	"Maximum function nesting",
	"Out of memory (allocated",
	"Cannot redeclare",
	"Cannot declare",
	"Cannot use ",
	"Cannot re-assign",
	"Cannot access ",
	"Cannot instantiate",
	"Cannot inherit",
	"Cannot make ",
	"Cannot override",
	"Cannot unset",
	"Cannot pass ",
	"Can't use ",
	"Can't inherit",
	"Access level to",
	"Access to undeclared",
	"Call to ",
	"Call-time pass-by-reference",
	"Class ",
	"Abstract function",
	"Interface ",
	"Trait ",
	"Declaration of ",
	"Undefined ",
	"Unsupported operand types",
	"Using $this",
	"Failed opening required",
	"require",
	"include",
	"Namespace declaration",
	"Non-abstract method",
	"Redefinition of parameter",
	"Nesting level too deep",
	// Compilers, assemblers, linkers
	"Cannot open include file",
	"can't open ",
	"can't create ",
	"No such file or directory",
	"Source ",
	"Syntax error",
	"Can't find file",
	"Too many errors",
	// Databases and servers
	"Can't open and lock privilege tables",
	"Please read \"Security\"",
	"Could not ",
	"Unable to ",
	"Failed to ",
};

static const char *const dyld[] = {
	"Library not loaded",
	"Library missing",
	"symbol not found",
	"Symbol not found",
	"Symbol missing",
	"missing symbol",
	"weak-def symbol not found",
	"lazy symbol binding failed",
	"lazy symbol binding error",
	"lazy symbol binding: ",
	"could not load",
	"launch, loading",
	"terminating because ",
	"Incompatible library version",
	"app was built for",
	"malformed mach-o",
	"bad external relocation",
	"dyld cache '",
	"dyld cache load error",
	"shared cached file",
	"shared cache file",
	"initializer in image (",
};

static const char *const go_panic[] = {
	"runtime error: ",
	"runtime: ",
	"assignment to entry in nil map",
	"send on closed channel",
	"close of closed channel",
	"close of nil channel",
	"interface conversion: ",
	"all goroutines are asleep",
	"reflect: ",
	"reflect.Value.",
	"reflect.Set: ",
	"sync: ",
	"sync/atomic: ",
	"strings: negative Repeat count",
	"strings.Builder",
	"bytes.Buffer: ",
	"test timed out after",
};

static const char *const go_fatal[] = {
	"all goroutines are asleep",
	"concurrent map ",
	"unexpected signal during runtime execution",
	"found bad pointer in Go heap",
	"runtime: ",
	"sync: ",
	"checkptr: ",
	"no goroutines (main called runtime.Goexit)",
	"bad sweepgen",
	"s.allocCount",
	"cgo argument has Go pointer",
};

static const char *const go_doubt[] = {
	"stack overflow",
	"out of memory",
	"found bad pointer",
	"unexpected signal during",
};

static const char *const rust_fatal[] = {
	"stack overflow",
	"Rust panics must be rethrown",
	"Rust cannot catch foreign exceptions",
	"failed to initiate panic",
	"drop of the panic payload panicked",
	"thread local panicked on drop",
	"thread result panicked on drop",
	"initialization or cleanup bug",
};

static const char *const dart[] = {
	"Null check operator used on a null value",
	"Bad state: ",
	"Invalid argument",
	"RangeError",
	"NoSuchMethodError",
	"Concurrent modification during iteration",
	"Unsupported operation: ",
	"type '",
	"'package:",
	"LateInitializationError",
	"setState() called after dispose()",
	"Looking up a deactivated widget",
	"Stack Overflow",
	"Out of Memory",
};

static const char *const java[] = {
	"java.",  "javax.",  "jakarta.", "android.", "androidx.", "dalvik.",
	"scala.", "groovy.", "org.",     "sun.",     "com.sun.",
};

static const struct {
	const char *const *words;
	size_t count;
} lists[WORDS_LISTS] = {
	[WORDS_SWIFT] = { swift, ARRAY_SIZE(swift) },
	[WORDS_NOT_SWIFT] = { not_swift, ARRAY_SIZE(not_swift) },
	[WORDS_DYLD] = { dyld, ARRAY_SIZE(dyld) },
	[WORDS_GO_PANIC] = { go_panic, ARRAY_SIZE(go_panic) },
	[WORDS_GO_FATAL] = { go_fatal, ARRAY_SIZE(go_fatal) },
	[WORDS_GO_DOUBT] = { go_doubt, ARRAY_SIZE(go_doubt) },
	[WORDS_RUST_FATAL] = { rust_fatal, ARRAY_SIZE(rust_fatal) },
	[WORDS_DART] = { dart, ARRAY_SIZE(dart) },
	[WORDS_JAVA] = { java, ARRAY_SIZE(java) },
};

bool headline_words_begin(enum headline_words list, struct text text)
{
	for (size_t i = 0; i < lists[list].count; i++)
		if (text_starts(text, lists[list].words[i]))
			return true;
	return false;
}

bool headline_words_dotnet(struct text type)
{
	static const char *const types[] = {
		"AccessViolationException",
		"AggregateException",
		"ArgumentException",
		"ArgumentNullException",
		"ArgumentOutOfRangeException",
		"DivideByZeroException",
		"DllNotFoundException",
		"EntryPointNotFoundException",
		"ExecutionEngineException",
		"IndexOutOfRangeException",
		"InvalidCastException",
		"InvalidOperationException",
		"KeyNotFoundException",
		"MissingComponentException",
		"MissingFieldException",
		"MissingMethodException",
		"MissingReferenceException",
		"NotSupportedException",
		"NullReferenceException",
		"ObjectDisposedException",
		"TargetInvocationException",
		"TypeInitializationException",
		"TypeLoadException",
		"UnassignedReferenceException",
		"UnityException",
	};

	if (text_starts(type, "System.") || text_starts(type, "UnityEngine."))
		return text_ends(type, "Exception");
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (text_is(type, types[i]))
			return true;
	return false;
}

bool headline_words_javascript(struct text message)
{
	// JavaScriptCore, then Hermes.
	return text_find(message, " is not an object (evaluating '") !=
	               TEXT_NOWHERE ||
	       text_find(message, " is not a function. (In '") !=
	               TEXT_NOWHERE ||
	       text_starts(message, "Can't find variable: ") ||
	       (text_starts(message, "Property '") &&
	        text_find(message, "' doesn't exist") != TEXT_NOWHERE);
}
