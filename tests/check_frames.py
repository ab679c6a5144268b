#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check what data/frame-meanings.yaml makes of stacks without a message.

    tests/check_frames.py --program build/dev/apmtool

ROWS has an invented stack for each row that means something: its kind of end, the
frames under the plumbing, and a frame much like it that must not match; a row without
both is a fault. Behind code of the app the same frame means nothing either, wherever
its position matters.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "data/frame-meanings.yaml"
APP = "Demo!-[Store save:]"
CF, OBJC, F, UIKIT = "CoreFoundation", "libobjc.A.dylib", "Foundation", "UIKitCore"
MALLOC, C, SWIFT, CONC = "libsystem_malloc.dylib", "libsystem_c.dylib", "libswiftCore.dylib", "libswift_Concurrency.dylib"
DISPATCH, PLATFORM = "libdispatch.dylib", "libsystem_platform.dylib"
PLUMBING = {
    "throw": [f"{CF}!__exceptionPreprocess", f"{OBJC}!objc_exception_throw"],
    "abort": ["libsystem_kernel.dylib!__pthread_kill", "libsystem_pthread.dylib!pthread_kill", f"{C}!abort"],
    "trap": [], "access": [],
}

# The start of the row's sentence, the kind of end, its frames innermost first, one
# that is near and is not it.
ROWS = [
    ("sent an object a message", "throw", [f"{CF}!-[NSObject(NSObject) doesNotRecognizeSelector:]", f"{CF}!___forwarding___"], f"{CF}!-[NSObject doesNotRecognizeSelectors:]"),
    ("changed a collection", "throw", [f"{CF}!__NSFastEnumerationMutationHandler"], f"{CF}!__NSFastEnumerationEnumerator"),
    ("put nil into an array, dictionary", "throw", [f"{CF}!-[__NSPlaceholderDictionary initWithObjects:forKeys:count:]"], "Demo!-[__NSPlaceholderDictionary initWithObjects:forKeys:count:]"),
    ("gave a dictionary or set nil", "throw", [f"{CF}!-[__NSDictionaryM setObject:forKeyedSubscript:]"], f"{CF}!-[__NSDictionaryM objectForKey:]"),
    ("put nil into an array, or", "throw", [f"{CF}!-[__NSArrayM insertObject:atIndex:]"], "Demo!-[TaskArray addObject:]"),
    ("used an index beyond the bounds", "throw", [f"{CF}!-[__NSArrayM objectAtIndexedSubscript:]"], f"{CF}!-[__NSArrayM indexOfObject:]"),
    ("used a range or index beyond the end", "throw", [f"{F}!-[__NSCFString substringWithRange:]"], f"{F}!-[NSString stringByAppendingString:]"),
    ("used a key that the object", "throw", [f"{F}!-[NSObject(NSKeyValueCoding) setValue:forUndefinedKey:]"], f"{F}!-[NSObject(NSKeyValueCoding) setValue:forKey:]"),
    ("broke a rule of key-value observing", "throw", [f"{F}!-[NSObject(NSKeyValueObserverRegistration) _removeObserver:forProperty:]"], f"{F}!-[NSNotificationCenter removeObserver:]"),
    ("used UI or layout off the main thread", "throw", [f"{F}!-[NSAssertionHandler handleFailureInMethod:object:file:lineNumber:description:]", f"{UIKIT}!-[UIApplication _performBlockAfterCATransactionCommitSynchronizes:]"], f"{UIKIT}!-[UIApplication _performBlockAfterCATransactionCommit:]"),
    ("submitted a background task", "throw", ["BackgroundTasks!-[BGTaskScheduler _handleSubmissionWithoutRegistrationForTaskRequest:error:]"], "BackgroundTasks!-[BGTaskScheduler submitTaskRequest:error:]"),
    ("registered a background task", "throw", ["BackgroundTasks!-[BGTaskScheduler _unsafe_registerForTaskWithIdentifier:usingQueue:launchHandler:]"], "BackgroundTasks!-[BGTaskScheduler cancelAllTaskRequests]"),
    ("updated a table or collection view", "throw", [f"{UIKIT}!-[UITableView _endCellAnimationsWithContext:]"], f"{UIKIT}!-[UITableView layoutSubviews]"),
    ("asked for a cell or view", "throw", [f"{UIKIT}!-[UITableView _dequeueReusableCellWithIdentifier:forIndexPath:usingPresentationValues:]"], f"{UIKIT}!-[UITableView cellForRowAtIndexPath:]"),
    ("loaded what a storyboard or nib", "throw", [f"{UIKIT}!-[UINib instantiateWithOwner:options:]"], f"{UIKIT}!-[UINib init]"),
    ("wrote an object as JSON", "throw", [f"{F}!+[NSJSONSerialization dataWithJSONObject:options:error:]"], f"{F}!+[NSJSONSerialization JSONObjectWithData:options:error:]"),
    ("used a range or index beyond the end", "throw", [f"{F}!-[NSMutableRLEArray replaceObjectsInRange:withObject:length:]"], f"{F}!-[NSMutableRLEArrays count]"),
    ("used an index beyond the bounds", "throw", ["CoreData!-[_PFArray objectAtIndex:]"], "Demo!-[PathArray objectAtIndex:]"),
    ("used UI or layout off the main thread", "throw", ["AppKit!-[NSWindow(NSWindow_Theme) _postWindowNeedsToResetDragMarginsUnlessPostingDisabled]"], "AppKit!-[NSWindow(NSWindow_Theme) _postWindowDidMove]"),
    ("scrolled a table or collection view", "throw", [f"{UIKIT}!-[UITableView _contentOffsetForScrollingToRowAtIndexPath:atScrollPosition:usingPresentationValues:]"], f"{UIKIT}!-[UITableView contentOffset]"),
    ("gave a diffable data source", "throw", [f"{F}!-[NSAssertionHandler handleFailureInMethod:object:file:lineNumber:description:]", f"{UIKIT}!-[__UIDiffableDataSourceSnapshot appendItemsWithIdentifiers:]"], "Demo!-[CartDiffableDataSource apply:]"),
    ("presented a popover", "throw", [f"{UIKIT}!-[UIPopoverPresentationController presentationTransitionWillBegin]"], f"{UIKIT}!-[UIPopoverPresentationController dealloc]"),
    ("presented or pushed a view controller", "throw", [f"{UIKIT}!-[UINavigationController pushViewController:transition:forceImmediate:]", f"{UIKIT}!-[UINavigationController pushViewController:animated:]"], f"{UIKIT}!-[UINavigationController popViewControllerAnimated:]"),
    ("made or activated a layout constraint", "throw", ["CoreAutoLayout!+[NSLayoutConstraint _addOrRemoveConstraints:activate:]", f"{UIKIT}!-[UIViewController presentViewController:animated:completion:]"], "CoreAutoLayout!-[NSLayoutConstraint constant]"),
    ("gave a view or layer", "throw", ["QuartzCore!CA::Layer::set_position(CA::Vec2<double> const&, bool)", "QuartzCore!-[CALayer setPosition:]"], "QuartzCore!CA::Layer::layout_if_needed(CA::Transaction*)"),
    ("used AVAudioEngine", "throw", ["AVFAudio!AVAE_RaiseException(NSString*, ...)", "AVFAudio!AVAudioEngineGraph::_Connect(AVAudioNodeImplBase*, AVAudioFormat*)"], "Demo!AVAE_Raise()"),
    ("stored a value in the user defaults", "throw", [f"{CF}!_CFPrefsValidateValueForKey", f"{CF}!-[CFPrefsSource setValues:forKeys:count:]"], f"{CF}!_CFPrefsCopyValueForKey"),
    ("read or wrote a file handle", "throw", [f"{F}!-[NSConcreteFileHandle writeData:]"], "Demo!-[NSFileHandle writeData:]"),
    ("started a program", "throw", [f"{F}!-[NSConcreteTask launchWithDictionary:error:]"], "Demo!-[NSTask launch]"),
    ("made a task in a URL session", "throw", ["CFNetwork!-[__NSURLSessionLocal taskForClassInfo:]"], "CFNetwork!-[NSURLSession invalidateAndCancel]"),
    ("gave nil where a string", "throw", [f"{F}!-[NSURL(NSURL) initFileURLWithPath:]"], f"{F}!-[NSURL(NSURL) host]"),
    ("ended because of a JavaScript error", "throw", ["Demo!RCTFatal"], "Demo!RCTFatality"),
    ("ended because of a JavaScript error", "throw", ["Demo!RCTFatal", "Demo!-[RCTExceptionsManager reportFatal:stack:exceptionId:extraDataAsJSON:]"], "Demo!RCTFatalHandlerInstall"),
    ("ended because of a JavaScript error", "throw", ["Demo!-[RCTExceptionsManager reportFatal:stack:exceptionId:extraDataAsJSON:]"], "Demo!-[RCTExceptionsManager reportSoft:stack:exceptionId:extraDataAsJSON:]"),
    ("ended because of a JavaScript error", "throw", ["Demo!-[RCTExceptionsManager reportException:]"], "Demo!-[RCTExceptionsManager reportSoft:stack:exceptionId:]"),
    ("freed memory that was not allocated", "abort", [f"{MALLOC}!malloc_report", f"{MALLOC}!___BUG_IN_CLIENT_OF_LIBMALLOC_DOUBLE_FREE"], f"{MALLOC}!___BUG_IN_LIBMALLOC_BAD_FREELIST"),
    ("ended because Go code", "abort", ["Demo!runtime.throw"], "Demo!runtime.throwaway"),
    ("was stopped by the fatal handler", "null", ["Demo!hermes::vm::fatal"], "Demo!hermes::vm::fatalHandlerInstall"),
    ("freed memory that was not allocated", "abort", [f"{MALLOC}!malloc_vreport", f"{MALLOC}!malloc_report", f"{MALLOC}!find_zone_and_free"], f"{MALLOC}!find_registered_zone"),
    ("freed memory that was not allocated", "abort", [f"{MALLOC}!___BUG_IN_CLIENT_OF_LIBMALLOC_POINTER_BEING_FREED_WAS_NOT_ALLOCATED"], "Demo!find_zone_and_free_later"),
    ("overwrote memory: malloc found", "abort", [f"{MALLOC}!malloc_report", f"{MALLOC}!tiny_free_list_checksum_botch"], "Demo!free_list_checksum"),
    ("damaged the heap", "abort", [f"{MALLOC}!malloc_vreport"], f"{MALLOC}!malloc_type_malloc"),
    ("wrote beyond the end of a buffer on the stack", "abort", [f"{C}!__stack_chk_fail"], "Demo!__stack_chk"),
    ("freed memory that was not allocated", "trap", ["JavaScriptCore!pas_crash_with_info_impl6", "JavaScriptCore!pas_deallocation_did_fail"], "JavaScriptCore!pas_deallocation_scope"),
    ("damaged the heap, or freed a pointer that is not valid: malloc stopped", "trap", [f"{MALLOC}!_xzm_free.cold.3", f"{MALLOC}!_xzm_free"], "Demo!_xzm_free"),
    ("damaged the heap, most likely", "null", [f"{MALLOC}!_xzm_xzone_malloc_tiny"], "Demo!_xzm_xzone_malloc_tiny"),
    ("made a weak reference", "abort", [f"{OBJC}!_objc_fatalv(unsigned long long, unsigned long long, char const*, char*)", f"{OBJC}!_objc_fatal(char const*, ...)", f"{OBJC}!weak_register_no_lock", f"{OBJC}!objc_storeWeak"], f"{OBJC}!objc_storeWeak"),
    ("sent a message to an object that was freed, or", "abort", [f"{OBJC}!_objc_fatal(char const*, ...)", f"{OBJC}!cache_t::bad_cache(objc_object*, objc_selector*)"], f"{OBJC}!cache_t::insert(objc_selector*, objc_object*)"),
    ("used a mutex that is corrupt", "trap", ["libsystem_pthread.dylib!_pthread_mutex_corruption_abort", "libsystem_pthread.dylib!_pthread_mutex_lock_init_slow"], "libsystem_pthread.dylib!_pthread_mutex_lock_init_slow"),
    ("ran the code of a dispatch_once()", "trap", [f"{DISPATCH}!_dispatch_once_wait.cold.1", f"{DISPATCH}!_dispatch_once_wait"], f"{DISPATCH}!_dispatch_once_callout"),
    ("misused libdispatch", "trap", [f"{DISPATCH}!_dispatch_source_xref_dispose.cold.1", f"{DISPATCH}!-[OS_dispatch_source _xref_dispose]"], f"{DISPATCH}!_dispatch_source_invoke"),
    ("used an os_unfair_lock that is corrupt", "trap", [f"{PLATFORM}!_os_nospin_lock_corruption_abort"], f"{PLATFORM}!_os_nospin_lock_lock"),
    ("misused XPC", "trap", ["libxpc.dylib!_xpc_object_dispose.cold.1", "libxpc.dylib!_xpc_connection_dispose"], "Demo!_xpc_object_dispose"),
    ("ran code that is isolated", "trap", [f"{SWIFT}!_assertionFailure(_:_:file:line:flags:)", f"{CONC}!closure #1 in static MainActor.assumeIsolated(_:file:line:)"], "Demo!static Actors.assumeIsolation()"),
    ("ran out of memory in Swift", "trap", [f"{SWIFT}!swift::swift_abortAllocationFailure(unsigned long, unsigned long)", f"{SWIFT}!swift_slowAlloc"], f"{SWIFT}!swift_slowAlloc"),
    ("stopped because a Swift check failed", "trap", [f"{SWIFT}!swift::swift_abortRetainOverflow()"], f"{SWIFT}!swift_retain_n"),
    ("ran out of memory: the allocator", "trap", ["Demo!base::(anonymous namespace)::OnNoMemory(unsigned long)", "Demo!base::(anonymous namespace)::oom_killer_new(unsigned long)"], "Demo!base::(anonymous namespace)::Memory()"),
    ("ran out of memory: the allocator", "abort", ["Demo!MemoryManager::OutOfMemoryError(unsigned long, char const*)"], "Demo!MemoryManager::OutOfMemory()"),
    ("was ended by Environment.FailFast()", "abort", ["Demo!SystemNative_Abort", "Demo!S_P_CoreLib_Interop_Sys__Abort", "Demo!S_P_CoreLib_System_RuntimeExceptionHelpers__FailFast_1", "Demo!S_P_CoreLib_System_Environment__FailFast"], "Demo!S_P_CoreLib_System_Environment__Exit"),
    ("ended because a .NET exception was not caught (NativeAOT)", "abort", ["Demo!RaiseFailFastException", "Demo!PalRaiseFailFastException", "Demo!S_P_CoreLib_System_Runtime_EH__UnhandledExceptionFailFastViaClasslib", "Demo!S_P_CoreLib_System_Runtime_EH__RhThrowEx", "Demo!RhpThrowEx"], "Demo!S_P_CoreLib_System_Runtime_EH"),
    ("ended because a .NET exception was not caught (Mono)", "abort", ["Demo!mono_handle_exception_internal", "Demo!mono_handle_exception", "Demo!mono_arm_throw_exception", "libmonosgen-2.0.dylib!throw_exception"], "Demo!mono_handle_native_crash"),
    ("failed a check of the Mono runtime", "abort", ["Demo!monoeg_assertion_message", "Demo!mono_assertion_message"], "Demo!mono_assertions()"),
    ("ended because a Kotlin", "abort", ["Demo!Kotlin_ObjCExport_trapOnUndeclaredException"], "Demo!Kotlin_ObjCExport_runCompletion"),
    ("ended because Go code", "abort", ["Demo!runtime.raise_trampoline.abi0", "Demo!runtime.crash", "Demo!runtime.fatalthrow.func1", "Demo!runtime.systemstack.abi0", "Demo!runtime.fatalthrow", "Demo!runtime.throw"], "Demo!runtime.schedule"),
    ("was stopped by a sanitizer", "abort", ["libclang_rt.asan_osx_dynamic.dylib!__sanitizer::Abort()", "libclang_rt.asan_osx_dynamic.dylib!__asan::ScopedInErrorReport::~ScopedInErrorReport()"], "Demo!sanitizer::Abort()"),
    ("ended because a JavaScript error reached", "abort", ["libc++abi.dylib!__cxa_throw", "Demo!facebook::jsi::JSError::JSError(facebook::jsi::Runtime&, facebook::jsi::Value&&)"], "Demo!facebook::jsi::Runtime::evaluate()"),
    ("ended because an exception of the C++ library", "abort", ["libc++abi.dylib!__cxa_throw", "Demo!std::__1::__throw_out_of_range[abi:ne180100](char const*)"], "Demo!std::__1::throw_out()"),
    ("ended because a C++ exception left", "abort", ["libc++abi.dylib!std::terminate()", "Demo!__clang_call_terminate"], "Demo!__clang_call()"),
    ("failed an assertion of a system library", "trap", [f"{C}!_os_crash"], f"{C}!os_crashes"),
    ("ended itself after a fatal log", "abort", ["Demo!realm::util::terminate(char const*, char const*, long)"], "Demo!realm::util::format()"),
    ("crashed on purpose: a check of WebKit", "trap", ["JavaScriptCore!pas_panic"], "JavaScriptCore!pas_scavenge"),
    ("copied between buffers", "trap", [f"{C}!__chk_fail_overlap"], "Demo!chk_fail_overlap"),
    ("was about to write beyond", "trap", [f"{C}!__chk_fail_overflow", f"{C}!__memcpy_chk"], f"{C}!__memcpy_chk"),
    ("damaged an autorelease pool", "abort", [f"{OBJC}!AutoreleasePoolPage::busted_die()"], f"{OBJC}!AutoreleasePoolPage::push()"),
    ("released an object again", "trap", [f"{OBJC}!objc_overrelease_during_dealloc_error"], f"{OBJC}!objc_overrelease"),
    ("met memory that is not valid while", "access", [f"{OBJC}!object_cxxDestructFromClass(objc_object*, objc_class*)", f"{OBJC}!objc_destructInstance"], f"{OBJC}!object_getClass"),
    ("used a CoreFoundation object whose", "trap", [f"{CF}!__CFCheckCFInfoPACSignature"], f"{CF}!CFGetTypeID"),
    ("gave CoreFoundation an object of another", "trap", [f"{CF}!_CFAssertMismatchedTypeID"], f"{CF}!CFArrayGetCount"),
    ("gave NULL to CFRelease()", "trap", [f"{CF}!CFRelease.cold.1"], f"{CF}!CFReleaseAll"),
    ("called a pure virtual function", "abort", ["libc++abi.dylib!abort_message", "libc++abi.dylib!__cxa_pure_virtual"], "libc++abi.dylib!abort_message"),
    ("ran code that is isolated", "trap", [f"{DISPATCH}!_dispatch_assert_queue_fail", f"{CONC}!_swift_task_checkIsolatedSwift", "Demo!_checkExpectedExecutor(_filenameStart:_filenameLength:_filenameIsASCII:_line:_executor:)"], "Demo!checkExpectedExecutors()"),
    ("ran code on another dispatch queue", "trap", [f"{DISPATCH}!_dispatch_assert_queue_fail", f"{DISPATCH}!dispatch_assert_queue$V2.cold.1"], f"{DISPATCH}!_dispatch_queue_wakeup"),
    ("called dispatch_sync()", "trap", [f"{DISPATCH}!__DISPATCH_WAIT_FOR_QUEUE__", f"{DISPATCH}!_dispatch_sync_f_slow"], f"{DISPATCH}!_dispatch_sync_f_slow"),
    ("misused libdispatch", "trap", [f"{DISPATCH}!dispatch_group_leave.cold.1"], f"{DISPATCH}!dispatch_group_enter"),
    ("locked an os_unfair_lock", "trap", [f"{PLATFORM}!_os_unfair_lock_recursive_abort", f"{PLATFORM}!_os_unfair_lock_lock_slow"], f"{PLATFORM}!_os_unfair_lock_lock_slow"),
    ("unlocked an os_unfair_lock", "trap", [f"{PLATFORM}!_os_unfair_lock_unowned_abort"], f"{PLATFORM}!_os_unfair_lock_unlock_slow"),
    ("used an os_unfair_lock that is corrupt", "trap", [f"{PLATFORM}!_os_unfair_lock_corruption_abort"], f"{PLATFORM}!os_unfair_lock_lock"),
    ("misused XPC", "trap", ["libxpc.dylib!_xpc_api_misuse", "libxpc.dylib!xpc_connection_resume.cold.1"], "Demo!xpc_api_misuses"),
    ("misused os_log", "trap", ["libsystem_trace.dylib!_os_log_impl_flatten_and_send"], "Demo!os_log_flush"),
    ("used a Core Data context off", "trap", ["CoreData!+[NSManagedObjectContext __Multithreading_Violation_AllThatIsLeftToUsIsHonor__]", "CoreData!_PFAssertSafeMultiThreadedAccess_impl"], "CoreData!-[NSManagedObjectContext save:]"),
    ("used Metal in a way", "abort", [f"{C}!__assert_rtn", "Metal!MTLReportFailure.cold.1", "Metal!MTLReportFailure"], "Demo!MTLReport"),
    ("used Metal in a way", "abort", ["Metal!MTLReportFailure"], "Metal!MTLCreateSystemDefaultDevice"),
    ("stopped because a forced cast", "abort", [f"{SWIFT}!swift::swift_dynamicCastFailure(void const*, char const*, void const*, char const*, char const*)"], f"{SWIFT}!swift_dynamicCastClass"),
    ("stopped because it unwrapped", "trap", [f"{SWIFT}!_assertionFailure(_:_:file:line:flags:)", f"{SWIFT}!_diagnoseUnexpectedNilOptional(_filenameStart:_filenameLength:_filenameIsASCII:_line:_isImplicitUnwrap:)"], "Demo!diagnoseUnexpectedNil()"),
    ("stopped because an enum", "trap", [f"{SWIFT}!_diagnoseUnexpectedEnumCase<A>(type:)"], "Demo!diagnoseEnum()"),
    ("stopped because an error was thrown", "trap", [f"{SWIFT}!swift_unexpectedError"], f"{SWIFT}!swift_willThrow"),
    ("stopped because a key broke", "trap", [f"{SWIFT}!_assertionFailure(_:_:file:line:flags:)", f"{SWIFT}!KEY_TYPE_OF_DICTIONARY_VIOLATES_HASHABLE_REQUIREMENTS(_:)"], "Demo!KEY_TYPE_OF_DICTIONARY()"),
    ("resumed a continuation", "trap", [f"{SWIFT}!_assertionFailure(_:_:file:line:flags:)", f"{CONC}!CheckedContinuation.resume(returning:)"], "Demo!Continuations.resume()"),
    ("accessed a variable while", "abort", [f"{SWIFT}!swift::fatalError(unsigned int, char const*, ...)", f"{SWIFT}!swift_beginAccess"], f"{SWIFT}!swift_endAccess"),
    ("used an unowned reference", "abort", [f"{SWIFT}!swift::swift_abortRetainUnowned(void const*)"], f"{SWIFT}!swift_unownedRetainStrong"),
    ("broke the memory of a Swift task", "abort", [f"{CONC}!swift::swift_Concurrency_fatalError(unsigned int, char const*, ...)", f"{CONC}!swift_task_dealloc"], f"{CONC}!swift_task_alloc"),
    ("failed a check of Swift's concurrency", "abort", [f"{CONC}!swift::swift_Concurrency_fatalError(unsigned int, char const*, ...)"], f"{CONC}!swift_task_create"),
    ("stopped because an index was out of range", "trap", [f"{SWIFT}!_assertionFailure(_:_:file:line:flags:)", f"{SWIFT}!Array._checkSubscript(_:wasNativeTypeChecked:)"], "Demo!CartArray.checkIndexes()"),
    ("sent a Swift object", "abort", [f"{SWIFT}!swift::fatalError(unsigned int, char const*, ...)", f"{SWIFT}!-[_TtCs12_SwiftObject doesNotRecognizeSelector:]"], f"{SWIFT}!-[_TtCs12_SwiftObject hash]"),
    ("ran out of memory for JavaScript (V8)", "trap", ["Demo!v8::base::OS::Abort()", "Demo!v8::internal::Heap::FatalProcessOutOfMemory(char const*)"], "Demo!v8::internal::Heap::CollectGarbage()"),
    ("failed a check of V8", "trap", ["Demo!V8_Fatal(char const*, ...)"], "Demo!V8_Init()"),
    ("ran out of memory for JavaScript (Hermes)", "null", ["Demo!facebook::hermes::detail::hermesFatalErrorHandler(void*, std::__1::basic_string<char> const&, bool)", "Demo!hermes::hermes_fatal(llvh::StringRef, std::__1::error_code)", "Demo!hermes::vm::GCBase::oom(std::__1::error_code)"], "Demo!hermes::vm::GCBase::collect()"),
    ("was stopped by the fatal handler", "null", ["Demo!llvh::report_fatal_error(llvh::Twine const&, bool)"], "Demo!hermes::vm::Runtime::run()"),
    ("ran out of memory: the allocator", "trap", ["Demo!base::internal::OnNoMemoryInternal(unsigned long)", "Demo!base::TerminateBecauseOutOfMemory(unsigned long)"], "Demo!base::Memory()"),
    ("overwrote memory, or freed it twice", "trap", ["Demo!partition_alloc::internal::DoubleFreeOrCorruptionDetected(unsigned long)"], "Demo!partition_alloc::internal::Free()"),
    ("failed a CHECK", "trap", ["Demo!logging::CheckError::~CheckError()", "Demo!base::ImmediateCrash()"], "Demo!base::Immediate()"),
    ("ended itself after a fatal log", "abort", ["Demo!google::LogMessage::Fail()"], "Demo!google::LogSink::send()"),
    ("crashed on purpose: a check of WebKit", "trap", ["JavaScriptCore!WTFCrashWithInfo(int, char const*, char const*, int)"], "JavaScriptCore!WTFReportError"),
    ("ran out of memory in Rust", "abort", ["Demo!std::process::abort", "Demo!alloc::alloc::handle_alloc_error"], "Demo!alloc::alloc::dealloc"),
    ("ended because Rust code panicked where", "abort", ["Demo!core::panicking::panic_nounwind_fmt", "Demo!core::panicking::panic_cannot_unwind"], "Demo!core::panicking::panic_fmt"),
    ("ended because Rust code unwrapped", "abort", ["Demo!rust_panic_with_hook", "Demo!core::option::unwrap_failed"], "Demo!core::option::unwrap_or"),
    ("ended because Rust code used an index", "abort", ["Demo!core::panicking::panic_fmt", "Demo!core::panicking::panic_bounds_check"], "Demo!core::slice::index"),
    ("ended because Rust code panicked", "abort", ["Demo!std::sys::pal::unix::abort_internal", "Demo!rust_panic_with_hook"], "Demo!rustic_panic"),
    ("ended because Go code", "abort", ["Demo!runtime.raise", "Demo!runtime.fatalpanic"], "Demo!runtime.mallocgc"),
    ("ended because a Kotlin", "abort", ["Demo!konan::abort()", "Demo!(anonymous namespace)::terminateWithUnhandledException(ObjHeader*)", "Demo!kotlin::ProcessUnhandledException(ObjHeader*)"], "Demo!kotlin::ProcessFinalizers()"),
    ("ended because a .NET exception was not caught (Mono)", "abort", ["Demo!xamarin_unhandled_exception_handler", "Demo!mono_invoke_unhandled_exception_hook"], "Demo!mono_runtime_invoke"),
    ("ended because a .NET exception was not caught (NativeAOT)", "abort", ["Demo!S_P_CoreLib_System_RuntimeExceptionHelpers__FailFast"], "Demo!S_P_CoreLib_System_Runtime_GC__Collect"),
    ("ended because a C# exception", "abort", ["Demo!il2cpp::vm::Exception::Raise(Il2CppException*)"], "Demo!il2cpp::vm::Object::New()"),
    ("failed an assert()", "abort", [f"{C}!__assert_rtn"], "Demo!assert_rtn"),
    ("failed a check of the C++ library", "trap", ["libc++.1.dylib!std::__1::__libcpp_verbose_abort(char const*, ...)"], "libc++.1.dylib!std::__1::sort()"),
    ("failed an assertion of a system library", "abort", [f"{C}!_os_assert_log"], "Demo!os_assertion"),
    ("failed a check of the Objective-C runtime", "abort", [f"{OBJC}!_objc_fatalv(unsigned long long, unsigned long long, char const*, char*)", f"{OBJC}!_objc_fatal(char const*, ...)"], f"{OBJC}!objc_lookUpClass"),
    ("ended because an NSAssert failed", "throw", [f"{F}!-[NSAssertionHandler handleFailureInMethod:object:file:lineNumber:description:]"], f"{F}!-[NSAssertionHandler init]"),
    ("stopped because a Swift check failed", "trap", [f"{SWIFT}!_assertionFailure(_:_:file:line:flags:)"], f"{SWIFT}!assertionFailures()"),
]
# Names that an app's own functions have, too: there they are the place to look at.
COMMON = [
    "start", "thread_start", "kill", "raise", "throw_exception", "dispatch_order", "completeTask", "free_order", "small_order", "memcpy", "syscall",
    "fatal", "error", "oom", "report", "crash", "check", "resume", "panic", "terminate", "fail",
]
# Kinds of end and frames that mean nothing where others are not by their side.
NOTHING = [
    ("access", ["Demo!-[Store near]", "Demo!-[RCTExceptionsManager reportFatal:stack:exceptionId:extraDataAsJSON:]"], "ended because of a JavaScript error"),
    ("access", ["Demo!-[Store near]", "Demo!RCTFatal"], "ended because of a JavaScript error"),
    ("throw", ["Demo!-[RCTExceptionsManager reportSoft:stack:exceptionId:]", "Demo!-[RCTExceptionsManager reportException:]"], "ended because of a JavaScript error"),
]
ANYWHERE = {"ended because of a JavaScript error"}


def report(kind, frames):
    """An .ips report without a message: PLUMBING, the frames, the app's."""
    images = ["Demo"]

    def frame(text):
        image, symbol = text.split("!", 1)
        if image not in images:
            images.append(image)
        return {"imageOffset": 4096 + 16 * len(symbol), "symbol": symbol, "symbolLocation": 4, "imageIndex": images.index(image)}

    access = kind in ("access", "null")
    plumbing = PLUMBING.get(kind, [])
    stack = [frame(text) for text in [*plumbing, *frames, APP, "libsystem_pthread.dylib!_pthread_start"]]
    thrown = kind == "throw"
    aborted = [frame(text) for text in [*PLUMBING["abort"], "libsystem_pthread.dylib!_pthread_start"]]
    address = 0x40ABCDEF10 if kind == "access" else 0
    body = {
        "procName": "Demo", "pid": 612, "cpuType": "ARM-64", "procPath": "/private/var/x/Demo.app/Demo", "faultingThread": 0,
        "exception": {"type": "EXC_BAD_ACCESS", "signal": "SIGSEGV", "codes": f"0x1, {address:#x}", "rawCodes": [1, address], "subtype": f"KERN_INVALID_ADDRESS at {address:#018x}"} if access
        else {"type": "EXC_BREAKPOINT", "signal": "SIGTRAP", "codes": "0x1, 0x100001000"} if kind == "trap" else {"type": "EXC_CRASH", "signal": "SIGABRT", "codes": "0x0, 0x0"},
        "threads": [{"triggered": True, "id": 7, "frames": aborted if thrown else stack}],
    }
    if thrown:
        body["lastExceptionBacktrace"] = stack
    body["usedImages"] = [{"source": "P", "arch": "arm64", "base": 0x100000000 + 0x1000000 * i, "size": 0x10000, "name": name,
                           "uuid": f"4c4c44bd-5555-3144-a18b-1d7a14acc5{i:02x}", "path": "/private/var/x/Demo.app/Demo" if not i else f"/usr/lib/{name}"} for i, name in enumerate(images)]
    head = {"app_name": "Demo", "bug_type": "309", "os_version": "iPhone OS 17.2 (21C62)", "incident_id": "9A"}
    return json.dumps(head) + "\n" + json.dumps(body)


class Row:
    """A row of the table that means something."""

    def __init__(self, text):
        def field(name):
            found = re.search(rf"^[ -]*{name}: (.+)$", text, re.M)
            value = found[1] if found else ""
            if value[:1] == "'":
                return value[1:-1].replace("''", "'")
            return json.loads(value) if value[:1] == '"' else value

        self.pattern, self.sentence, self.source = field("pattern"), field("sentence"), field("source")
        self.tested = self.near = 0

    def matches(self, name, verdict):
        return verdict.startswith(f"Demo {self.sentence} (") and re.search(self.pattern, name)


def rows_of_table():
    rows = [Row(text) for text in re.split(r"^(?=  - )", TABLE.read_text(), flags=re.M)]
    return [row for row in rows if row.sentence]


def cases():
    """Of each: a name, the report, the case, what the verdict must be."""
    for case in ROWS:
        sentence, kind, frames, near = case
        yield sentence, report(kind, frames), case, "it"
        yield f"near {near}", report(kind, [near]), case, "near"
        if sentence not in ANYWHERE:
            yield f"under the app: {sentence}", report(kind, ["Demo!-[Store near]", "Demo!-[Store nearer]", *frames]), case, "under"
    for name in COMMON:
        for kind in ("abort", "trap", "throw"):
            yield f"the app's {name}, {kind}", report(kind, [f"Demo!{name}"]), name, "own"
    for kind, frames, sentence in NOTHING:
        yield f"{kind} {frames}", report(kind, frames), (sentence,), "near"


def explain(program, texts):
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for i, text in enumerate(texts):
            paths.append(pathlib.Path(folder) / f"{i:04}.ips")
            paths[-1].write_text(text)
        run = subprocess.run([program, "explain", "-q", "--no-auto", "-j", "1", "--format", "jsonl", *paths], capture_output=True, text=True)
    return [json.loads(line) for line in run.stdout.splitlines()], run.stderr


def find_row(rows, verdict):
    shown = re.search(r"\(no message in the report; the stack shows (.*)\)$", verdict)
    return next((row for row in rows if shown and row.matches(shown[1], verdict)), None)


def check_answer(rows, case, expected, answer):
    """What is wrong with it; None: nothing. Notes what it tests of its row."""
    if expected == "own":
        return None if (answer["where"] or "").startswith(case) else f"where: {answer['where']}"
    verdict, has_sentence = answer["verdict"], answer["verdict"].startswith(f"Demo {case[0]}")
    if expected != "it":
        return f"must not match: {verdict}" if has_sentence else None
    row = find_row(rows, verdict)
    if not has_sentence or not row:
        return f"no row says so: {verdict}"
    row.tested += 1
    row.near += case[3] is not None
    return None if (answer["where"] or "").startswith("-[Store save:]") else f"where: {answer['where']}"


def check_signatures(program):
    """What group and explain call the place of a failure is the same."""
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        for name in COMMON:
            path = pathlib.Path(folder) / f"{name}.ips"
            path.write_text(report("abort", [f"Demo!{name}"]))
            run = subprocess.run([program, "group", "-q", "--no-auto", "--explain", path], capture_output=True, text=True)
            if not re.search(rf"\byes +in-app .*\b{name}\b", run.stdout):
                faults.append(f"the signature leaves out the app's {name}")
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True, type=pathlib.Path)
    program = parser.parse_args().program.resolve()
    rows = rows_of_table()
    listed = list(cases())
    answers, errors = explain(program, [text for _, text, _, _ in listed])
    faults = []
    if len(answers) != len(listed):
        faults.append(f"{len(answers)} answers of {len(listed)}: {errors[-400:]}")
    for (name, _, case, expected), answer in zip(listed, answers):
        fault = check_answer(rows, case, expected, answer)
        if fault:
            faults.append(f"{name}: {fault}")
    faults += check_signatures(program)
    for row in rows:
        if not row.tested or not row.near:
            faults.append(f"no {'near miss' if row.tested else 'stack'} tests the row: {row.pattern}")
        if not row.source:
            faults.append(f"no source: {row.pattern}")
    for fault in faults:
        print(fault)
    print(f"{len(rows)} rows, {len(listed)} stacks, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
