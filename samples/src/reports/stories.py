"""What happened to the demo app, as stacks.

The stack of the main story: main calls demo_app_main, that -[DemoApp
runWithCount:arguments:], the run loop calls the block of -[DemoApp refresh],
and in the end demo::Feed::decode reads from an entry without a body, in two
calls that were inlined."""

from .report import (LoadedImage, Report, Thread, arm64_registers,
                         invented_uuid, system_image, x86_64_registers)

BUNDLE = "/private/var/containers/Bundle/Application/" \
    "7D1F0C5E-2B3A-4C4D-9E5F-60718293A4B5/Demo.app"
SIGNAL_11 = {"flags": 0, "code": 11, "namespace": "SIGNAL",
             "indicator": "Segmentation fault: 11", "byProc": "exc handler",
             "byPid": 612}
SIGNAL_6 = SIGNAL_11 | {"code": 6, "indicator": "Abort trap: 6"}
SIGNAL_5 = SIGNAL_11 | {"code": 5, "indicator": "Trace/BPT trap: 5"}
BAD_ACCESS = {"codes": "0x0000000000000001, 0x0000000000000000",
              "rawCodes": [1, 0], "type": "EXC_BAD_ACCESS",
              "signal": "SIGSEGV",
              "subtype": "KERN_INVALID_ADDRESS at 0x0000000000000000"}
ABORT = {"codes": "0x0000000000000000, 0x0000000000000000",
         "rawCodes": [0, 0], "type": "EXC_CRASH", "signal": "SIGABRT"}
THROWN = ("*** Terminating app due to uncaught exception "
          "'NSInvalidArgumentException', reason: '-[DemoApp "
          "pictureAtIndex:]: unrecognized selector sent to instance "
          "0x283c04e60'")
MAIN_QUEUE = "com.apple.main-thread"


class System:
    """Invented images of a phone's or a Mac's system, and stacks in them."""

    def __init__(self, arch, low, kit="UIKitCore"):
        mac = low > 0x7f0000000000
        place = ("/System/Library/Frameworks/%s.framework/"
                 + ("Versions/A/" if mac else ""))

        def framework(name, offset, size):
            return system_image(place % name + name, low + offset, size, arch,
                                "com.apple." + name, "1.0")

        def library(path, offset, size):
            return system_image("/usr/lib/" + path, low + offset, size, arch)

        self.dyld = library("dyld", 0x0, 0x86000)
        self.kernel = library("system/libsystem_kernel.dylib", 0x100000,
                              0x36000)
        self.pthread = library("system/libsystem_pthread.dylib", 0x140000,
                               0xc000)
        self.libc = library("system/libsystem_c.dylib", 0x150000, 0x80000)
        self.dispatch = library("system/libdispatch.dylib", 0x200000, 0x46000)
        self.objc = library("libobjc.A.dylib", 0x280000, 0x44000)
        self.core = framework("CoreFoundation", 0x400000, 0x421000)
        self.app_kit = framework(kit, 0xc00000, 0x1a00000)
        self.images = [self.app_kit, self.core, self.objc, self.dispatch,
                       self.libc, self.pthread, self.kernel, self.dyld]

    def block_call(self):
        return [
            self.dispatch.at(0x24b4, "_dispatch_call_block_and_release", 32),
            self.dispatch.at(0x3fdc, "_dispatch_client_callout", 20),
            self.dispatch.at(0x12884, "_dispatch_main_queue_drain", 928),
            self.core.at(0x9a6b0, "__CFRUNLOOP_IS_SERVICING_THE_MAIN_"
                         "DISPATCH_QUEUE__", 16),
        ]

    def run_loop(self):
        return [
            self.core.at(0x7d4f0, "__CFRunLoopRun", 1992),
            self.core.at(0x821e4, "CFRunLoopRunSpecific", 612),
        ] + ([
            self.app_kit.at(0x2f6fa, "-[NSApplication run]", 586),
            self.app_kit.at(0x3224, "NSApplicationMain", 816),
        ] if self.app_kit.name == "AppKit" else [
            self.app_kit.at(0x3af4c8, "-[UIApplication _run]", 888),
            self.app_kit.at(0x3af12c, "UIApplicationMain", 340),
        ])

    def start(self):
        return [self.dyld.at(0x15944, "start", 520)]

    def idle(self):
        return [self.pthread.at(0x1e54, "start_wqthread", 0)]

    def waiting(self):
        return [
            self.kernel.at(0xb48, "mach_msg2_trap", 8),
            self.kernel.at(0x12b18, "mach_msg", 24),
            self.core.at(0x7c8b4, "__CFRunLoopServiceMachPort", 160),
            self.core.at(0x7d180, "__CFRunLoopRun", 1112),
            self.core.at(0x821e4, "CFRunLoopRunSpecific", 612),
            self.pthread.at(0x26cc, "_pthread_start", 148),
            self.pthread.at(0x1e68, "thread_start", 8),
        ]

    def aborting(self):
        return [
            self.kernel.at(0x7200, "__pthread_kill", 8),
            self.pthread.at(0x6e44, "pthread_kill", 268),
            self.libc.at(0x21804, "abort", 180),
        ]

    def throwing(self):
        return [
            self.core.at(0x9e48, "__exceptionPreprocess", 164),
            self.objc.at(0x178d8, "objc_exception_throw", 60),
            self.core.at(0x17abec, "-[NSObject doesNotRecognizeSelector:]",
                         136),
            self.core.at(0x38ebc, "___forwarding___", 1584),
            self.core.at(0x37900, "_CF_forwarding_prep_0", 96),
        ]

    def worker_root(self):
        return [self.pthread.at(0x26cc, "_pthread_start", 148),
                self.pthread.at(0x1e68, "thread_start", 8)]


class Stories:
    def __init__(self, images):
        self.built = images

    def loaded(self, key, name, folder, base, size=0x8000, bundle=None):
        image = self.built[key]
        return LoadedImage(name=name, path=f"{folder}/{name}", base=base,
                           size=size, arch=image.arch, uuid=image.uuid,
                           bundle=bundle or "", short="2.1", build="210")

    def main_part(self, app, built):
        return [
            app.at(built.after_call("-[DemoApp runWithCount:arguments:]", 1)),
            app.at(built.after_call("demo_app_main", 1)),
            app.at(built.after_call("main", 1)),
        ]

    def opening(self, app, built):
        """From decode out to the block; frame 0 is where it crashed."""
        return [
            app.at(built.inlined_load("demo::Feed::decode", 3)),
            app.at(built.after_call("demo::Feed::process", 0)),
            app.at(built.after_call("demo::ArchivedFeed::process", 0)),
            app.at(built.after_call("demo::Feed::load", 0)),
            app.at(built.after_call("demo_feed_open", 0)),
            app.at(built.after_call("-[DemoApp openFeed:]", 0)),
        ]

    def block(self, app, built):
        return app.at(built.after_call("-[DemoApp refresh]_block_invoke", 0))

    def crashed_main(self, app, built, system):
        return Thread(self.opening(app, built) + [self.block(app, built)]
                      + system.block_call() + system.run_loop()
                      + self.main_part(app, built) + system.start(),
                      queue=MAIN_QUEUE, crashed=True)

    def scaling(self, kit, system):
        """The framework's thread: it weighs the pixels of a row."""
        built = self.built["DemoKit"]
        return Thread([
            kit.at(built.inlined_load("demokit::Picture<3u>::row", 2)),
            kit.at(built.after_call("demokit::Picture<3u>::scale", 0)),
            kit.at(built.after_call("scaleAll", 0)),
            kit.at(built.after_call("demokit::Scaler::run", 0)),
            kit.at(built.after_call("demokit::Scaler::operator()", 0)),
            kit.at(built.after_call("demokit_thread", 0)),
        ] + system.worker_root(), name="com.example.demo.scaler")

    def storing(self, plain, system):
        """In the library without a dSYM; frame 0 has lost its name."""
        built = self.built["Plain"]
        return Thread([
            plain.at(built.start_of("clamp") + 4),
            plain.at(built.after_call("plain_store", 0)),
            plain.at(built.after_call("plain_run", 0)),
        ] + system.worker_root(), name="com.example.demo.store")

    def workers(self, kit, plain, system):
        return [self.scaling(kit, system), self.storing(plain, system),
                Thread(system.idle())]

    def phone_images(self, slide, system):
        app = self.loaded("Demo.arm64", "Demo", BUNDLE, 0x100e80000 + slide,
                          bundle="com.example.demo")
        kit = self.loaded("DemoKit", "DemoKit",
                          f"{BUNDLE}/Frameworks/DemoKit.framework",
                          0x101200000 + slide, 0x4000,
                          bundle="com.example.demokit")
        plain = self.loaded("Plain", "Plain.dylib", f"{BUNDLE}/Frameworks",
                            0x101310000 + slide, 0x4000)
        return app, kit, plain, [app, kit, plain, *system.images]

    def phone(self, slide=0, low=0x1b2c00000, **more):
        system = System("arm64e", low)
        app, kit, plain, images = self.phone_images(slide, system)
        settings = dict(hardware="iPhone14,2", system="iPhone OS 16.0",
                        build="20A362", platform=2, exception=BAD_ACCESS,
                        termination=SIGNAL_11, note="EXC_CORPSE_NOTIFY")
        report = Report(app=app, images=images, threads=[],
                        **(settings | more))
        return report, system, self.built["Demo.arm64"], kit, plain

    def bad_access_on_phone(self):
        report, system, built, kit, plain = self.phone()
        main = self.crashed_main(report.app, built, system)
        report.threads = [
            main, *self.workers(kit, plain, system),
            Thread(system.waiting(), name="com.apple.uikit.eventfetch-thread"),
        ]
        report.registers = arm64_registers(
            main.frames[0].address, main.frames[1].address, 0, 3)
        return report

    def named_in_part(self, report):
        """As above, after a tool that had half of the symbols."""
        report = report.copy()
        main = report.threads[0]
        built, app = self.built["Demo.arm64"], report.app
        frames = []
        for index, frame in enumerate(main.frames):
            if frame.image is not app or index not in (0, 4, 5):
                frames.append(frame)
                continue
            chain = built.chain(frame.offset - (1 if index else 0))
            for call in chain:
                start = int(call["StartAddress"], 16) - built.text
                name = call["FileName"].rsplit("/", 1)[1]
                copied = app.at(frame.offset, call["FunctionName"],
                                frame.offset - start)
                copied.place = f"{name}:{call['Line']}"
                copied.inlined = call is not chain[-1]
                frames.append(copied)
        main.frames = frames
        return report

    def exception_stack(self, app, built, system):
        return (system.throwing()
                + [app.at(built.after_call("-[DemoApp openFeed:]", 1)),
                   self.block(app, built)]
                + system.block_call() + system.run_loop()
                + self.main_part(app, built) + system.start())

    def exception(self, **more):
        report, system, built, kit, plain = self.phone(
            0x24000, 0x19f400000, exception=ABORT, termination=SIGNAL_6,
            **more)
        report.thrown = self.exception_stack(report.app, built, system)
        unnamed = [frame.image.at(frame.offset) for frame in
                   self.main_part(report.app, built)]
        report.threads = [
            Thread(system.aborting() + system.block_call()
                   + system.run_loop() + unnamed + system.start(),
                   queue=MAIN_QUEUE, crashed=True),
            *self.workers(kit, plain, system),
        ]
        report.registers = arm64_registers(
            report.threads[0].frames[0].address,
            report.threads[0].frames[1].address, 0x283c04e60, 5)
        return report

    def exception_on_phone(self):
        report = self.exception(system="iPhone OS 14.2", build="18B92",
                                hardware="iPhone12,1", wide=True)
        report.information = [("CoreFoundation", THROWN)]
        return report

    def exception_on_new_phone(self):
        report = self.exception(system="iPhone OS 17.2", build="21C62")
        report.information = [("libsystem_c.dylib", "abort() called"),
                              ("CoreFoundation", THROWN)]
        return report

    def abort_on_old_phone(self):
        """A 32-bit app; no dSYM of it exists, so its frames stay numbers."""
        app = LoadedImage("Demo", f"{BUNDLE}/Demo", 0xf4000, 0x10000, "armv7",
                          invented_uuid("demo armv7"), "com.example.demo",
                          "1.0", "100")
        kernel = system_image("/usr/lib/system/libsystem_kernel.dylib",
                              0x25896000, 0x19000, "armv7")
        libc = system_image("/usr/lib/system/libsystem_c.dylib", 0x257f4000,
                            0x65000, "armv7")
        dyld = system_image("/usr/lib/system/libdyld.dylib", 0x257d5000,
                            0x4000, "armv7")
        frames = [kernel.at(0x14c5c, "__pthread_kill", 8),
                  libc.at(0x4b0ac, "abort", 108), app.at(0x6349),
                  app.at(0x692f), dyld.at(0x2873, "start", 2)]
        registers = {f"r{i}": i * 0x11 for i in range(12)}
        registers.update(ip=0x148, sp=0x27d0f2b4, lr=0x25954733,
                         pc=frames[0].address, cpsr=0x10)
        return Report(app=app, images=[app, dyld, libc, kernel],
                      threads=[Thread(frames, queue=MAIN_QUEUE, crashed=True)],
                      exception=ABORT, termination=SIGNAL_6,
                      hardware="iPod5,1", system="iOS 9.3.5", build="13G36",
                      platform=2, code_type="ARM (Native)", wide=True,
                      registers=registers)

    def intel(self, folder, base, kit="UIKitCore", **more):
        system = System("x86_64", 0x7ff812c00000, kit)
        app = self.loaded("Demo.x86_64", "Demo", folder, base,
                          bundle="com.example.demo")
        built = self.built["Demo.x86_64"]
        main = self.crashed_main(app, built, system)
        settings = dict(app=app, images=[app, *system.images],
                        threads=[main, Thread(system.idle()),
                                 Thread(system.waiting(),
                                        name="com.apple.NSEventThread")],
                        exception=BAD_ACCESS, termination=SIGNAL_11,
                        hardware="Mac14,12", system="macOS 12.1",
                        build="21C52", platform=1,
                        code_type="X86-64 (Native)", wide=True,
                        note="EXC_CORPSE_NOTIFY")
        report = Report(**(settings | more))
        report.registers = x86_64_registers(main.frames[0].address, 0)
        return report, system

    def bad_access_on_mac(self):
        report, _ = self.intel("/Applications/Demo.app/Contents/MacOS",
                               0x10be2a000, "AppKit")
        return report

    def bad_access_on_catalyst(self):
        report, system = self.intel(
            "/Applications/Demo.app/Contents/MacOS", 0x10a442000, platform=6)
        system.app_kit.path = ("/System/iOSSupport/System/Library/Frameworks/"
                               "UIKitCore.framework/Versions/A/UIKitCore")
        return report

    def bad_access_in_simulator(self):
        report, _ = self.intel(
            "/Users/USER/Library/Developer/CoreSimulator/Devices/"
            "3F2E1D0C-0000-4000-8000-123456789ABC/data/Containers/Bundle/"
            "Application/7D1F0C5E-2B3A-4C4D-9E5F-60718293A4B5/Demo.app",
            0x104f1e000, platform=7, parent="launchd_sim",
            coalition="com.apple.CoreSimulator.SimDevice."
            "3F2E1D0C-0000-4000-8000-123456789ABC", coalition_id=2401)
        return report

    def abort_under_rosetta(self):
        """Translated code has no place of its own: frame 0 is `???`."""
        report, system = self.intel(
            "/Applications/Demo.app/Contents/MacOS", 0x100d18000, "AppKit",
            code_type="X86-64 (Translated)", exception=ABORT,
            termination=SIGNAL_6,
            information=[("libsystem_c.dylib", "abort() called")])
        nowhere = LoadedImage("???", "???", 0, 0, "unknown", "")
        runtime = system_image("/usr/libexec/rosetta/runtime", 0x7ff7ffd20000,
                               0x29000, "x86_64")
        report.images.append(runtime)
        main = report.threads[0]
        main.frames = ([nowhere.at(0x7ff89c44ff40)] + system.aborting()
                       + main.frames[2:])
        report.threads.append(Thread(
            [runtime.at(0x4af8), runtime.at(0x103cc)],
            name="com.apple.rosetta.exceptionserver"))
        report.rosetta = {f"tmp{i}": 0x7ff89c44ff40 + i for i in range(3)}
        return report

    def trap_on_new_mac(self):
        """An app on Apple silicon; after the JSON comes a System Profile."""
        report, system, built, kit, plain = self.phone(
            0x3400000, 0x18a200000, system="macOS 14.2", build="23C64",
            hardware="Mac14,12", platform=1, termination=SIGNAL_5,
            exception={"codes": "0x0000000000000001, 0x00000001042809fc",
                       "rawCodes": [1, 0x1042809fc],
                       "type": "EXC_BREAKPOINT", "signal": "SIGTRAP"})
        report.app.path = "/Applications/Demo.app/Contents/MacOS/Demo"
        main = self.crashed_main(report.app, built, system)
        address = main.frames[0].address
        report.exception["codes"] = f"0x0000000000000001, 0x{address:016x}"
        report.exception["rawCodes"] = [1, address]
        report.threads = [Thread(system.waiting()), main,
                          *self.workers(kit, plain, system)]
        report.registers = arm64_registers(address, main.frames[1].address,
                                           0, 7)
        report.tail = ("\nModel: Mac14,12, BootROM 10151.61.4, proc 8:4:4 "
                       "processors, 16 GB, SMC \n")
        return report

    def fault_on_phone(self):
        report = self.bad_access_on_phone()
        report.bug_type, report.pid = "308", 613
        report.note = None
        report.exception = {"codes": "0x0000000000000000, 0x0", "rawCodes":
                            [0, 0], "type": "EXC_GUARD", "signal": "SIGKILL"}
        return report

    def too_much_cpu(self):
        report = self.bad_access_on_phone()
        report.bug_type, report.pid = "385", 614
        report.note, report.registers = None, {}
        report.exception = {
            "codes": "0x0000000000000000, 0x0000000000000000",
            "rawCodes": [0, 0], "type": "EXC_RESOURCE", "signal": "SIGKILL",
            "message": "CPU time limit: 80 % over 60 seconds"}
        return report
