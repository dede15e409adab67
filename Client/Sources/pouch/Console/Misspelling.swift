#if TerminalPrograms
    import ArgumentParser

    /// A command that does not exist, with the one that the user may have meant.
    struct Misspelling {
        /// The maximum number of letters by which a command may differ.
        private static let tolerance = 2

        /// For example `pouch admin orders`.
        let guess: String

        /// - Parameters:
        ///   - arguments: as the user typed them, without the program's name.
        ///   - root: the program.
        /// - Returns: nil if all commands exist, or none is similar.
        init?(_ arguments: some Sequence<String>, of root: any ParsableCommand.Type) {
            var command = root
            var path = [root.configuration.commandName ?? "pouch"]
            // A word after an option may be its value.
            var isValue = false
            for argument in arguments where argument != "help" {
                if argument.hasPrefix("-") {
                    isValue = !argument.contains("=")
                    continue
                }
                let names = command.allSubcommands
                if let next = names.first(where: { $0.name == argument }) {
                    command = next.command
                    path.append(argument)
                    isValue = false
                } else if isValue {
                    isValue = false
                } else {
                    let similar = names.map { (name: $0.name, distance: Self.distance(argument, $0.name)) }
                        .min { $0.distance < $1.distance }
                    guard let similar, similar.distance <= min(Self.tolerance, argument.count / 2) else { return nil }
                    guess = (path + [similar.name]).joined(separator: " ")
                    return
                }
            }
            return nil
        }

        /// The number of letters to insert, remove, replace, or exchange with their neighbour (optimal string
        /// alignment).
        static func distance(_ first: String, _ second: String) -> Int {
            let (first, second) = (Array(first), Array(second))
            var before: [Int] = []
            var last = Array(0...second.count)
            for (row, letter) in first.enumerated() {
                var next = [row + 1]
                for (column, other) in second.enumerated() {
                    var cost = min(last[column + 1] + 1, next[column] + 1, last[column] + (letter == other ? 0 : 1))
                    if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
                        cost = min(cost, before[column - 1] + 1)
                    }
                    next.append(cost)
                }
                (before, last) = (last, next)
            }
            return last[second.count]
        }
    }

    extension ParsableCommand {
        fileprivate static var allSubcommands: [(name: String, command: any ParsableCommand.Type)] {
            configuration.subcommands.map { ($0.configuration.commandName ?? "", $0) }
        }
    }
#endif
