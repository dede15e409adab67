/// One way through a model: which of the open transitions is taken at each point.
struct Schedule: Sendable {
    /// What is given; beyond it the first is taken.
    let prefix: [Int]
    private var taken: [(choice: Int, open: Int)] = []

    init(_ prefix: [Int] = []) {
        self.prefix = prefix
    }

    /// - Throws: `Diverged` when the same steps did not lead to the same point.
    mutating func next(of open: Int) throws(Diverged) -> Int {
        let choice = taken.count < prefix.count ? prefix[taken.count] : 0
        guard choice < open else { throw Diverged() }
        taken.append((choice, open))
        return choice
    }

    struct Diverged: Error {}

    /// The prefixes of the schedules that leave this one behind its own prefix. Together with theirs, and so on, they
    /// are all that there are, each once.
    var branches: [[Int]] {
        let choices = taken.map(\.choice)
        return taken.indices.dropFirst(prefix.count).flatMap { index in
            (1..<max(1, taken[index].open)).map { choices[..<index] + [$0] }
        }
    }

    /// Runs a model once for each schedule, several at once.
    ///
    /// - Parameter run: runs it in the lane of the given number.
    /// - Returns: how many schedules there are.
    static func all(
        lanes: Int, _ run: @escaping @Sendable (_ lane: Int, Schedule) async throws -> Schedule
    ) async throws -> Int {
        var count = 0
        var frontier: [[Int]] = [[]]
        while !frontier.isEmpty {
            count += frontier.count
            let prefixes = Queue(frontier)
            frontier = try await parallel(lanes) { lane in
                var branches: [[Int]] = []
                while let prefix = await prefixes.next() {
                    branches += try await run(lane, Schedule(prefix)).branches
                }
                return branches
            }.flatMap(\.self)
        }
        return count
    }

    private actor Queue {
        private var prefixes: [[Int]]

        init(_ prefixes: [[Int]]) {
            self.prefixes = prefixes
        }

        func next() -> [Int]? { prefixes.popLast() }
    }
}
