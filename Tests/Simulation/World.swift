import SeededRandom
import ServerTesting

/// Everything that one run shares: its random choices, clock, faults, database, and the notes on what has happened.
/// `@unchecked Sendable`: used on the scheduler's thread only.
final class World: @unchecked Sendable {
    let connection: MemoryConnection
    let plant: Plant?
    let clock = VirtualClock()
    let notes: Notes
    let outside = Outside()
    var random: SplitMix64
    var faults = FaultRates.none
    var isDiskFull = false
    var isProviderAway = false
    /// The number of days that the clock has skipped. Answers are kept for one.
    var nights = 0
    var requestsUnderWay = 0
    /// The number of messages that arrive later.
    private(set) var underWay = 0
    private(set) var violations: [String] = []
    private(set) var tally = Tally()
    private(set) var trace: [String] = []
    private let isTraced: Bool

    init(_ connection: MemoryConnection, seed: UInt64, plant: Plant?, isTraced: Bool) {
        self.connection = connection
        self.plant = plant
        self.isTraced = isTraced
        notes = Notes()
        random = SplitMix64(seed: seed)
    }

    // MARK: Chance
    func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    func chance(_ percent: Int) -> Bool { below(100) < percent }
    func one<Element>(of elements: [Element]) -> Element? { elements.isEmpty ? nil : elements[below(elements.count)] }

    /// Whether the fault happens now, which is counted.
    func happens(_ fault: Fault) -> Bool {
        let rate = faults[fault]
        guard rate > 0, below(1000) < rate else { return false }
        tally.faults["\(fault)", default: 0] += 1
        tell("fault: \(fault)")
        return true
    }

    func calm() {
        faults = .none
        isDiskFull = false
        isProviderAway = false
    }

    // MARK: Time
    /// Lets other tasks take their steps.
    func pause(_ times: Int = 1) async { for _ in 0..<times { await Scheduler.shared.pause() } }

    /// Runs the closure after other steps, as a message that arrives late.
    func later(_ work: @escaping @Sendable () async -> Void) {
        underWay += 1
        let delay = below(60)
        Task {
            await pause(delay)
            await work()
            underWay -= 1
        }
    }

    // MARK: Notes
    func count(_ name: String, _ number: Int = 1) { tally.events[name, default: 0] += number }

    func tell(_ text: @autoclosure () -> String) {
        if isTraced { trace.append("\(clock.text)  \(text())") }
    }

    func violation(_ text: String) {
        tell("VIOLATION: \(text)")
        violations.append(text)
    }

    func check(_ holds: Bool, _ text: @autoclosure () -> String) {
        if !holds { violation(text()) }
    }
}

/// Counts of what happened, so that one can see that the runs are not empty.
struct Tally: Codable {
    var events: [String: Int] = [:]
    var faults: [String: Int] = [:]

    mutating func add(_ other: Tally) {
        events.merge(other.events, uniquingKeysWith: +)
        faults.merge(other.faults, uniquingKeysWith: +)
    }
}

/// The clock of a run, which moves only when the run moves it.
/// `@unchecked Sendable`: used on the scheduler's thread only.
final class VirtualClock: TimeSource, @unchecked Sendable {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private(set) var now = VirtualClock.start
    /// The latest time that it has shown.
    private(set) var latest = VirtualClock.start

    func advance(by seconds: TimeInterval) {
        now.addTimeInterval(seconds)
        latest = max(latest, now)
    }

    func pass(_ seconds: TimeInterval) {
        now = latest.addingTimeInterval(seconds)
        latest = now
    }

    /// The seconds since the start of the run.
    fileprivate var text: String { String(format: "%10.3f", now.timeIntervalSince(Self.start)) }
}

/// The clock of one server, which differs a little from those of the others.
struct ServerClock: TimeSource {
    let clock: VirtualClock
    let offset: TimeInterval

    var now: Date { clock.now.addingTimeInterval(offset) }
}

/// Random bytes that follow from the seed of the run.
struct WorldRandom: RandomSource {
    let world: World

    func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: world.random.next() >> 32) }
    }
}

/// Digests that are fast, and different for different data; nothing here is secret.
struct PlainDigests: Digests {
    func sha256(_ data: Data) -> Data {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in data { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        var mixed = SplitMix64(seed: hash)
        return Data((0..<4).flatMap { _ in withUnsafeBytes(of: mixed.next()) { Array($0) } })
    }

    func hmacSHA256(_ data: Data, key: Data) -> Data { sha256(key + data) }
    func hmacSHA1(_ data: Data, key: Data) -> Data { sha256(key + data) }
    func isEqual(_ one: Data, _ other: Data) -> Bool { one == other }
    func isHMACSHA256(_ code: Data, of data: Data, key: Data) -> Bool { hmacSHA256(data, key: key) == code }
}

/// Runs all Swift tasks of the process on one thread, in an order that a seed determines.
///
/// The runtime hands over every job that it would run on its pool of threads: those of tasks, task groups and actors.
/// A task that pauses is one more thing that can go on. So the interleavings of a run follow from its seed alone.
/// `@unchecked Sendable`: used by the thread that calls `run` only, which `enqueue` checks.
final class Scheduler: SerialExecutor, @unchecked Sendable {
    static let shared = Scheduler()

    private enum Ready {
        case job(UnownedJob)
        /// A job of an actor whose executor this is.
        case own(UnownedJob)
        case paused(UnsafeContinuation<Void, Never>)
    }

    private var ready: [Ready] = []
    private var random = SplitMix64(seed: 0)
    private var isFinished = false
    private let thread = pthread_self()

    /// The number of jobs and pauses that a run may take; more count as a standstill.
    private static let limit = 200_000

    // MARK: The runtime's jobs
    private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

    /// Takes over the jobs of the process. Call it once, before the first task.
    ///
    /// - Throws: `Missing` if the runtime has no such hook.
    func install() throws {
        guard let hook = dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobal_hook") else { throw Missing() }
        hook.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in Scheduler.shared.add(.job(job)) }
    }

    struct Missing: Error {}

    func enqueue(_ job: consuming ExecutorJob) { add(.own(UnownedJob(job))) }

    private func add(_ one: Ready) {
        precondition(pthread_equal(thread, pthread_self()) != 0, "A task of the simulation is on another thread.")
        ready.append(one)
    }

    // MARK: Runs
    /// Runs the closure, with all tasks that it starts, until none can go on. Returns whether the closure ended.
    func run(seed: UInt64, _ main: @escaping @Sendable () async -> Void) -> Bool {
        random = SplitMix64(seed: seed)
        isFinished = false
        ready = []
        Task.detached {
            await main()
            self.isFinished = true
        }
        for _ in 0..<Self.limit {
            guard !ready.isEmpty else { break }
            step()
        }
        return isFinished && ready.isEmpty
    }

    /// Lets other tasks take their steps.
    func pause() async { await withUnsafeContinuation { add(.paused($0)) } }

    private func step() {
        ready.swapAt(Int(random.next() % UInt64(ready.count)), ready.count - 1)
        switch ready.removeLast() {
        case .job(let job): job.runSynchronously(on: Self.pool)
        case .own(let job): job.runSynchronously(on: asUnownedSerialExecutor())
        case .paused(let continuation):
            // Hands over the job of the task, as the last one.
            continuation.resume()
            guard case .job(let job)? = ready.popLast() else { return }
            job.runSynchronously(on: Self.pool)
        }
    }

    /// The runtime's generic executor, which has no identity, as on its own pool of threads.
    private static let pool = unsafeBitCast((0, 0) as (Int, Int), to: UnownedSerialExecutor.self)
}
