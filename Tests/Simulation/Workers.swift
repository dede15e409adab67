import Foundation
import Synchronization

/// Starts the workers, shows their progress, and reports the first failure.
final class Workers: Sendable {
    private let options: Options
    private let start = ContinuousClock.now
    private let state = Mutex(State())

    private struct State {
        var runs = 0
        var tally = Tally()
        var failures: [(seed: UInt64, violations: [String], trace: [String])] = []
        var shownAt = ContinuousClock.now
    }

    init(_ options: Options) {
        self.options = options
    }

    func run() throws {
        let processes = try (0..<options.workers).map(started)
        let threads = DispatchGroup()
        for process in processes {
            DispatchQueue.global().async(group: threads) { self.follow(process) }
        }
        threads.wait()
        for process in processes { process.process.waitUntilExit() }
        report()
    }

    // MARK: Workers

    private struct Started: @unchecked Sendable {
        // Used by one thread each.
        let process: Process
        let output: FileHandle
    }

    private func started(_ number: Int) throws -> Started {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = Bundle.main.executableURL
        process.arguments = options.arguments(worker: number)
        process.standardOutput = pipe
        try process.run()
        return Started(process: process, output: pipe.fileHandleForReading)
    }

    /// Reads the lines of a worker until it ends.
    private func follow(_ started: Started) {
        var rest = Data()
        var current: UInt64?
        while true {
            let data = started.output.availableData
            if data.isEmpty { break }
            rest += data
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = try? JSONDecoder().decode(Worker.Line.self, from: rest[..<end])
                rest = Data(rest[(end + 1)...])
                guard let line else { continue }
                current = line.seed
                guard let outcome = line.outcome else { continue }
                current = nil
                if add(outcome, seed: line.seed) { return started.process.terminate() }
            }
        }
        started.process.waitUntilExit()
        if let current, started.process.terminationStatus != 0 {
            state.withLock {
                $0.failures.append((current, ["The process ended with \(started.process.terminationStatus)."], []))
            }
        }
    }

    /// - Returns: whether the workers have to end.
    private func add(_ outcome: Worker.Outcome, seed: UInt64) -> Bool {
        state.withLock { state in
            state.runs += 1
            state.tally.add(outcome.tally)
            if !outcome.violations.isEmpty || options.isTraced {
                state.failures.append((seed, outcome.violations, outcome.trace))
            }
            show(&state)
            return state.failures.contains { !$0.violations.isEmpty }
        }
    }

    // MARK: Output

    private func show(_ state: inout State) {
        let isTerminal = isatty(STDERR_FILENO) == 1
        guard ContinuousClock.now - state.shownAt > (isTerminal ? .milliseconds(200) : .seconds(30)) else { return }
        state.shownAt = .now
        let line = "\(state.runs) of \(options.runs) runs, \(rate(state.runs)) a second"
        FileHandle.standardError.write(Data((isTerminal ? "\r\u{1b}[K\(line)" : line + "\n").utf8))
    }

    private func rate(_ runs: Int) -> Int {
        let passed = (ContinuousClock.now - start).components
        let seconds = Double(passed.seconds) + Double(passed.attoseconds) / 1e18
        return Int(Double(runs) / max(seconds, 0.001))
    }

    private func report() -> Never {
        let state = state.withLock { $0 }
        if isatty(STDERR_FILENO) == 1 { FileHandle.standardError.write(Data("\r\u{1b}[K".utf8)) }
        for failure in state.failures where !failure.trace.isEmpty { print(failure.trace.joined(separator: "\n")) }
        func list(_ counts: [String: Int]) -> String {
            counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        }
        print("seed \(options.seed): \(state.runs) runs, \(rate(state.runs)) a second on \(options.workers) processes")
        print("happened: \(list(state.tally.events))")
        print("faults: \(list(state.tally.faults))")
        let failures = state.failures.filter { !$0.violations.isEmpty }.sorted { $0.seed < $1.seed }
        for failure in failures {
            print("\nseed \(failure.seed), after \(failure.seed &- options.seed &+ 1) seeds, violates:")
            for violation in failure.violations { print("  - \(violation)") }
            print("repeat it with: \(options.command(seed: failure.seed))")
        }
        if failures.isEmpty { print("no violations") }
        exit(failures.isEmpty ? 0 : 1)
    }
}
