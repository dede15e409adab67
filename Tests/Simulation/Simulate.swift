import Foundation
import PouchDomain
import Synchronization

/// Runs the real services of a shop in random orders, with faults: `simulate [RUNS [SEED]]`.
@main
struct SimulateProgram {
    static func main() {
        do {
            let options = try Options(CommandLine.arguments)
            if options.needsHelp { return print(Options.help) }
            try options.requireDeterministicHashing()
            if let worker = options.worker {
                try Worker(options).run(from: worker)
            } else {
                exit(try Workers(options).run())
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(64)
        }
    }
}

/// The options of the command line.
struct Options: Sendable {
    static let help = """
        usage: simulate [RUNS [SEED]] [--plant hold|refund|key|message] [--finds] [--workers N] [--trace]

        Runs the services of several servers with buyers, an administrator, a payment provider and faults on one thread
        with virtual time, and compares the books after each run. Run n has the seed SEED + n, on which alone it depends.

          RUNS        the number of runs (1000)
          SEED        the seed of the first run (a random one)
          --plant P   plants a fault: a hold that is not released, a refund that is paid twice, a key that is not kept,
                      a message that is lost
          --finds     exits with 0 if it finds a failure, and with 1 if it finds none
          --workers N the number of processes (those of the machine)
          --trace     prints each step; the default with one run

        Exits with 1 after the first failure, and prints how to repeat it.
        """

    private(set) var runs = 1000
    private(set) var seed = UInt64.random(in: 1...999_999_999)
    private(set) var plant: Plant?
    /// Whether a failure is what the caller wants.
    private(set) var finds = false
    private(set) var workers = ProcessInfo.processInfo.activeProcessorCount
    private(set) var needsHelp = false
    /// The number of this process among the workers; nil in the one that starts them.
    private(set) var worker: Int?
    private var traces = false
    private let arguments: [String]

    /// Whether to print each step.
    var isTraced: Bool { traces || runs == 1 }

    struct Invalid: Error, CustomStringConvertible {
        let description: String
    }

    init(_ arguments: [String]) throws {
        self.arguments = arguments
        var numbers: [UInt64] = []
        var rest = arguments.dropFirst()
        func number(_ text: String?) throws -> UInt64 {
            guard let text, let number = UInt64(text) else {
                throw Invalid(
                    description: "\(text ?? "An option") is not a number. `simulate --help` shows what there is.")
            }
            return number
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": needsHelp = true
            case "--trace": traces = true
            case "--finds": finds = true
            case "--workers": workers = max(1, Int(try number(rest.popFirst())))
            case "--worker": worker = Int(try number(rest.popFirst()))
            case "--plant":
                plant = rest.popFirst().flatMap(Plant.init)
                if plant == nil { throw Invalid(description: "The planted fault is hold, refund, key or message.") }
            case _ where argument.hasPrefix("-"):
                throw Invalid(description: "There is no option \(argument). `simulate --help` shows what there is.")
            default: numbers.append(try number(argument))
            }
        }
        guard numbers.count <= 2 else {
            throw Invalid(description: "\(numbers[2]) is one word too many. `simulate --help` shows what there is.")
        }
        if let first = numbers.first { runs = max(1, Int(first)) }
        if numbers.count > 1 { seed = numbers[1] }
        workers = min(workers, runs)
    }

    /// The arguments of a worker.
    func arguments(worker: Int) -> [String] {
        ["\(runs)", "\(seed)", "--workers", "\(workers)", "--worker", "\(worker)"]
            + (plant.map { ["--plant", $0.rawValue] } ?? []) + (traces ? ["--trace"] : [])
    }

    /// The command that repeats one run alone.
    func command(seed: UInt64) -> String {
        "make simulate RUNS=1 SEED=\(seed)" + (plant.map { " PLANT=\($0.rawValue)" } ?? "")
    }

    /// Starts the process again where the order of sets and dictionaries would differ from process to process.
    func requireDeterministicHashing() throws {
        let name = "SWIFT_DETERMINISTIC_HASHING"
        guard ProcessInfo.processInfo.environment[name] == nil else { return }
        setenv(name, "1", 1)
        let path = Bundle.main.executablePath ?? arguments[0]
        var texts: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        execv(path, &texts)
        throw Invalid(description: "The program cannot start itself again: \(String(cString: strerror(errno))).")
    }
}
