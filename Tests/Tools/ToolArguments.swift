import Foundation

/// The command line of a tool of this repository.
///
///     let arguments = ToolArguments.read(help: "usage: chaos [SHOPPERS [SEED]]", words: 0...2)
///
/// `--help` prints the help. An option or a word that the tool does not know ends it with one line and exit code 64, before
/// it does anything.
public struct ToolArguments {
    public struct Refusal: Error, Equatable {
        public let text: String

        public init(text: String) {
            self.text = text
        }
    }

    /// The words that belong to no option, in their order.
    public private(set) var words: [String] = []
    private var flags: Set<String> = []
    private var values: [String: String] = [:]

    /// - Parameters:
    ///   - flags: the options without a value, such as `--trace`.
    ///   - options: the options with a value, such as `--out`.
    ///   - count: how many words there may be.
    public init(
        _ arguments: [String], flags: Set<String> = [], options: Set<String> = [], words count: ClosedRange<Int> = 0...0
    ) throws(Refusal) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if flags.contains(argument) {
                self.flags.insert(argument)
            } else if options.contains(argument) {
                guard let value = rest.popFirst() else { throw Refusal(text: "\(argument) needs a value.") }
                values[argument] = value
            } else if argument.hasPrefix("-") {
                throw Refusal(text: "There is no option \(argument).")
            } else {
                guard words.count < count.upperBound else { throw Refusal(text: "\(argument) is one word too many.") }
                words.append(argument)
            }
        }
        guard count.contains(words.count) else { throw Refusal(text: "A word is missing.") }
    }

    public func has(_ flag: String) -> Bool { flags.contains(flag) }

    public func value(_ option: String) -> String? { values[option] }

    /// Removes the first word if it is this one.
    ///
    /// - Returns: whether it was.
    public mutating func takeFirst(_ word: String) -> Bool {
        guard words.first == word else { return false }
        words.removeFirst()
        return true
    }

    /// The words as whole numbers.
    public func numbers(atMost count: Int = .max) throws(Refusal) -> [UInt64] {
        if words.count > count, let word = words.last { throw Refusal(text: "\(word) is one word too many.") }
        return try words.map { word throws(Refusal) in
            guard let number = UInt64(word) else { throw Refusal(text: "\(word) is not a whole number.") }
            return number
        }
    }

    // MARK: The program's own

    /// The arguments of this program. Ends it for `--help`, and where it does not know one.
    public static func read(
        help: String, flags: Set<String> = [], options: Set<String> = [], words count: ClosedRange<Int> = 0...0
    ) -> ToolArguments {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard !arguments.contains("--help"), !arguments.contains("-h") else {
            print(help)
            exit(0)
        }
        return accepting { () throws(Refusal) in
            try ToolArguments(arguments, flags: flags, options: options, words: count)
        }
    }

    /// The value, or the end of the program with the reason why there is none.
    public static func accepting<Value>(_ value: () throws(Refusal) -> Value) -> Value {
        do throws(Refusal) { return try value() } catch { refuse(error.text) }
    }

    /// Ends the program with one line and exit code 64.
    public static func refuse(_ text: String) -> Never {
        let name = URL(filePath: CommandLine.arguments.first ?? "").lastPathComponent
        FileHandle.standardError.write(Data("\(text) `\(name) --help` shows what there is.\n".utf8))
        exit(64)
    }
}
