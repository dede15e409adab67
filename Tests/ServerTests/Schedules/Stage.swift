/// Lets the players of a model take their steps one at a time, in the order that a schedule says.
///
/// Of schedules that differ only in the order of steps that commute it plays one to its end (Godefroid's sleep sets).
actor Stage {
    @TaskLocal private static var player: Int?

    private(set) var schedule: Schedule
    /// What was done, for who has to understand it.
    private(set) var trace: [String] = []
    private var faults: Int
    private var waiting: [Int: (step: Step, go: CheckedContinuation<Step.Move, Never>)] = [:]
    private var crashed: Set<Int> = []
    private var running = 0
    private var quiet: CheckedContinuation<Void, Never>?
    private var free: [Int: Int] = [:]
    private var isCut = false

    /// - Parameter faults: how many of them there are at most.
    init(_ schedule: Schedule, faults: Int) {
        self.schedule = schedule
        self.faults = faults
    }

    /// Lets a player begin.
    ///
    /// - Parameter free: the first so many steps, which commute with everything, are not waited for.
    func enter(free: Int = 0, _ play: @escaping @Sendable () async -> Void) {
        let player = self.free.count
        self.free[player] = free
        running += 1
        Task {
            await Self.$player.withValue(player, operation: play)
            settle()
        }
    }

    /// Waits until it is this player's turn. Who is none goes on at once.
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

    /// Plays until all have come to their end.
    func play() async throws(Schedule.Diverged) {
        var asleep: [Transition] = []
        while true {
            if running > 0 { await withCheckedContinuation { quiet = $0 } }
            guard !waiting.isEmpty else { return }
            let open = transitions.filter { open in
                !asleep.contains { $0.player == open.player && $0.move == open.move }
            }
            guard !isCut, !open.isEmpty else {
                // Every way from here was gone in another order; the rest only has to end.
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
