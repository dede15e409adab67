#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchTerminal

    /// Questions to the user. They go to standard error, so that output in a pipe stays clean.
    enum Prompt {
        /// 128 and the number of SIGINT, as shells report it.
        private static let interrupted = ExitCode(130)

        static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

        fileprivate static func confirm(_ question: String) async -> Bool {
            Console(STDERR_FILENO).write(question + " [y/N] ")
            let answer = await blocking { readLine() } ?? ""
            return ["y", "yes"].contains(answer.trimmingCharacters(in: .whitespaces).lowercased())
        }

        /// Reads a password without echo from a terminal, otherwise from the first line of standard input.
        ///
        /// - Parameters:
        ///   - question: shown on a terminal. Each further question reads the next line of standard input.
        ///   - twice: whether to ask again on a terminal, for a new password.
        static func password(_ question: String = "Password: ", twice: Bool = false) async throws -> String {
            guard isPossible else {
                guard let line = await blocking({ readLine() }), !line.isEmpty else {
                    throw Refusal(
                        "A line is missing on standard input.",
                        "Send the password and everything else the command asks for, one per line.", .usage)
                }
                return line.hasSuffix("\r") ? String(line.dropLast()) : line
            }
            let password = try await hidden(question)
            guard twice else { return password }
            guard try await hidden("Again: ") == password else {
                throw Refusal("The two passwords differ.", "Try again.", .usage)
            }
            return password
        }

        /// Reads a code of the second factor from the terminal, or otherwise from the next line of standard input.
        ///
        /// - Returns: nil without such a line.
        static func code() async throws -> String? {
            if isPossible { Console(STDERR_FILENO).write("Code of your second factor: ") }
            let line = await blocking { readLine() }?.trimmingCharacters(in: .whitespacesAndNewlines)
            return line?.isEmpty == false ? line : nil
        }

        private static func hidden(_ question: String) async throws -> String {
            let typed = await blocking { Result { () throws(TerminalError) in try HiddenLine.read(question) } }
            switch typed {
            case .success(let line?): return line
            case .success(nil): throw interrupted
            case .failure(let error): throw Refusal(error)
            }
        }

        /// Runs blocking work on a thread of its own, so that it does not hold one of the cooperative pool.
        private static func blocking<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume(returning: work()) }
            }
        }
    }

    /// The question before a command does something that is hard to undo.
    struct Confirmation: ParsableArguments {
        @Flag(name: .shortAndLong, help: "Don't ask for confirmation.")
        var yes = false

        /// The help about `price(_:of:in:)`.
        static let priceOfNothing = "On a terminal, the command asks before a price of 0; a script must use --yes."

        /// Asks on a terminal, unless the user has answered with --yes.
        ///
        /// - Parameters:
        ///   - details: printed before the question.
        ///   - refusal: the sentence for a user who says no.
        ///   - isMistakeLikely: whether a script, which cannot be asked, is refused without --yes.
        /// - Throws: a `Refusal` if the command must not act.
        func ask(
            _ question: String, after details: [Output] = [], in shop: Shop, orElse refusal: String,
            isMistakeLikely: Bool = false
        ) async throws {
            guard !yes, Prompt.isPossible || isMistakeLikely else { return }
            guard Prompt.isPossible else {
                throw Refusal(refusal, "Add --yes to answer this question with yes: \(question)", .usage)
            }
            shop.messages.print(details)
            guard await Prompt.confirm(question) else {
                throw Refusal(refusal, "Run the command again when you are sure.", .other)
            }
        }

        /// Parses the price of something for sale, and asks before a price of 0.
        ///
        /// - Parameter name: the SKU, or other words for the object with the price.
        /// - Throws: a `Refusal` if the text is not an amount, or the user does not confirm the price.
        func price(_ text: String, of name: String, in shop: Shop) async throws -> Money {
            let price = try await shop.money(text)
            if price.amount == 0 {
                try await ask(
                    "Give \(name) away for free?", in: shop, orElse: "Nothing was changed.", isMistakeLikely: true)
            }
            return price
        }
    }
#endif
