/// Lets the players of a model take their steps one at a time, in the order of a schedule.
///
/// Plays only one of the schedules that differ only in the order of commuting steps (Godefroid's sleep sets).
actor Stage {
    @TaskLocal private static var player: Int?

    private(set) var schedule: Schedule
    /// The steps taken, for the report of a violation.
    private(set) var trace: [String] = []
    private var faults: Int
    private var waiting: [Int: (step: Step, go: CheckedContinuation<Step.Move, Never>)] = [:]
    private var crashed: Set<Int> = []
    private var running = 0
    private var quiet: CheckedContinuation<Void, Never>?
    private var free: [Int: Int] = [:]
    private var isCut = false

    init(_ schedule: Schedule, faults: Int) {
        self.schedule = schedule
        self.faults = faults
    }

    /// Starts a player.
    ///
    /// - Parameter free: the number of first steps that take no turn, since they commute with everything.
    func enter(free: Int = 0, _ play: @escaping @Sendable () async -> Void) {
        let player = self.free.count
        self.free[player] = free
        running += 1
        Task {
            await Self.$player.withValue(player, operation: play)
            settle()
        }
    }

    /// Waits until it is this player's turn. A task that is no player continues at once.
    func turn(_ step: Step) async -> Step.Move {
        guard let player = Self.player else { return .go }
        guard !crashed.contains(player) else { return .crash }
        if free[player, default: 0] > 0 {
            free[player, default: 0] -= 1
            return .go
        }
        return await withCheckedContinuation { go in
            waiting[player] = (step, go)
            settle()
        }
    }

    /// Plays until all players have finished.
    func play() async throws(Schedule.Diverged) {
        var asleep: [Transition] = []
        while true {
            if running > 0 { await withCheckedContinuation { quiet = $0 } }
            guard !waiting.isEmpty else { return }
            let open = transitions.filter { open in
                !asleep.contains { $0.player == open.player && $0.move == open.move }
            }
            guard !isCut, !open.isEmpty else {
                // Every continuation was played in another order. The players only have to finish.
                isCut = true
                for player in waiting.keys { take(player, .crash) }
                continue
            }
            let choice: Int
            do { choice = try schedule.next(of: open.count) } catch {
                for player in waiting.keys { take(player, .crash) }
                throw error
            }
            let taken = open[choice]
            asleep = (asleep + open[..<choice]).filter { $0.commutes(with: taken) }
            trace.append("\(taken.player) \(taken.move) \(taken.step.writes)")
            take(taken.player, taken.move)
        }
    }

    private var transitions: [Transition] {
        waiting.sorted { $0.key < $1.key }.flatMap { player, waiting in
            waiting.step.moves.filter { faults > 0 || !$0.isFault }.map {
                Transition(player: player, move: $0, step: waiting.step)
            }
        }
    }

    private func take(_ player: Int, _ move: Step.Move) {
        guard let waited = waiting.removeValue(forKey: player) else { return }
        if move.isFault { faults -= 1 }
        if move == .crash { crashed.insert(player) }
        running += 1
        waited.go.resume(returning: move)
    }

    private func settle() {
        running -= 1
        guard running == 0 else { return }
        quiet?.resume()
        quiet = nil
    }
}

/// The next step of a player.
struct Step {
    /// The possible moves, the normal one first.
    let moves: [Move]
    /// The parts of the world that the step reads and writes.
    let reads: Set<Part>
    let writes: Set<Part>

    enum Part { case database, provider, clock }

    enum Move {
        case go
        /// The process ends before the step.
        case crash
        /// The request is lost, and no response comes.
        case lostRequest
        /// The request has its effect, but the response is lost.
        case lostAnswer
        /// No response comes, and the request arrives later.
        case late
        /// The provider refuses.
        case failed
        case declined

        /// Whether the move counts as a fault.
        var isFault: Bool { self != .go && self != .declined }
    }

    /// A transaction, with the computations before and after it.
    static let write = Step(moves: [.go, .crash], reads: [.clock], writes: [.database])
    static let charge = Step(
        moves: [.go, .declined, .failed, .lostRequest, .lostAnswer, .late, .crash], reads: [.clock],
        writes: [.provider])
    static let ask = Step(moves: [.go, .lostRequest, .lostAnswer, .crash], reads: [.clock], writes: [.provider])
    static let refund = Step(
        moves: [.go, .failed, .lostRequest, .lostAnswer, .late, .crash], reads: [.clock], writes: [.provider])
    static let arrival = Step(moves: [.go], reads: [], writes: [.provider])
    static let look = Step(moves: [.go], reads: [.database], writes: [.clock])
    static let wait = Step(moves: [.go], reads: [], writes: [.clock])
}

/// A player's step with one of its moves.
struct Transition {
    let player: Int
    let move: Step.Move
    let step: Step

    /// Whether both orders of the two transitions have the same effect.
    func commutes(with other: Transition) -> Bool {
        player != other.player && !(move.isFault && other.move.isFault)
            && step.writes.isDisjoint(with: other.step.reads.union(other.step.writes))
            && step.reads.isDisjoint(with: other.step.writes)
    }
}

/// One run through a model: the choice among the open transitions at each point.
struct Schedule: Sendable {
    /// The given choices. After them the first transition is taken.
    let prefix: [Int]
    private var taken: [(choice: Int, open: Int)] = []

    init(_ prefix: [Int] = []) { self.prefix = prefix }

    /// - Throws: `Diverged` when the same choices did not lead to the same point.
    mutating func next(of open: Int) throws(Diverged) -> Int {
        let choice = taken.count < prefix.count ? prefix[taken.count] : 0
        guard choice < open else { throw Diverged() }
        taken.append((choice, open))
        return choice
    }

    struct Diverged: Error {}

    /// The prefixes of the schedules that branch off this one after its own prefix. Following them recursively gives
    /// every schedule once.
    var branches: [[Int]] {
        let choices = taken.map(\.choice)
        return taken.indices.dropFirst(prefix.count).flatMap { index in
            (1..<max(1, taken[index].open)).map { choices[..<index] + [$0] }
        }
    }

    /// Runs a model once for each schedule, several concurrently.
    ///
    /// - Parameter run: runs the schedule in the given lane.
    /// - Returns: the number of schedules.
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
                while let prefix = await prefixes.next() { branches += try await run(lane, Schedule(prefix)).branches }
                return branches
            }.flatMap(\.self)
        }
        return count
    }

    private actor Queue {
        private var prefixes: [[Int]]

        init(_ prefixes: [[Int]]) { self.prefixes = prefixes }
        func next() -> [Int]? { prefixes.popLast() }
    }
}
