import NIOCore
import NIOPosix
import PouchDomain
import Synchronization

/// Threads for slow work that callers wait for, shared fairly between networks (48 bits of an IPv6 address): the
/// networks take turns.
///
/// Each urgency has a queue of 256 places, of which one network can take 32, so that a flood fails fast. Work keeps its
/// place until it is done. When all places are taken, the last work of the network with the most waiting work makes
/// room for a network that has less.
final class FairThreadPool: Sendable {
    enum Urgency {
        /// Runs first, but every fourth piece of work is an ordinary one.
        case urgent
        case ordinary
    }

    static let places = 256
    static let placesOfOneNetwork = 32

    private let threads: NIOThreadPool
    private let queues = Mutex(Queues())

    init(threads count: Int) {
        threads = NIOThreadPool(numberOfThreads: count)
        threads.start()
    }

    deinit {
        threads.shutdownGracefully { _ in }
    }

    /// - Throws: the errors of the work, and ``OverloadError`` when no place is free, or another network needs the
    ///   place. The work is then not started.
    func run<Value: Sendable>(
        _ urgency: Urgency, for network: String, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let network = NetworkShare.widest(of: network)
        return try await withCheckedThrowingContinuation { continuation in
            let new = Work {
                let result = Result(catching: work)
                self.queues.withLock { $0[urgency].leavePlace(of: network) }
                continuation.resume(with: result)
            } refuse: {
                continuation.resume(throwing: OverloadError(retryAfterSeconds: 2))
            }
            let refused = queues.withLock { $0[urgency].append(new, for: network) }
            refused?.refuse()
            // Each piece of work adds a thread, which takes the most urgent piece, if one is left.
            threads.submit { _ in self.queues.withLock { $0.next() }?.run() }
        }
    }

    /// The number of pieces of work that are waiting or running.
    func count(_ urgency: Urgency) -> Int { queues.withLock { $0[urgency].allPlacesTaken } }

    private struct Work: Sendable {
        let run: @Sendable () -> Void
        let refuse: @Sendable () -> Void
    }

    private struct Queues {
        private var urgent = Queue()
        private var ordinary = Queue()
        private var urgentInRow = 0

        subscript(urgency: Urgency) -> Queue {
            get { urgency == .urgent ? urgent : ordinary }
            _modify {
                switch urgency {
                case .urgent: yield &urgent
                case .ordinary: yield &ordinary
                }
            }
        }

        mutating func next() -> Work? {
            if urgentInRow < 3, let work = urgent.next() {
                urgentInRow += 1
                return work
            }
            urgentInRow = 0
            return ordinary.next() ?? urgent.next()
        }
    }

    private struct Queue {
        private var waiting: [String: CircularBuffer<Work>] = [:]
        private var turns = CircularBuffer<String>()
        private var placesTaken: [String: Int] = [:]
        private(set) var allPlacesTaken = 0

        /// - Returns: the work that must be refused: the new work, the work that made room for it, or nil.
        mutating func append(_ work: Work, for network: String) -> Work? {
            let own = placesTaken[network, default: 0]
            guard own < placesOfOneNetwork else { return work }
            var refused: Work?
            if allPlacesTaken == places {
                let largest = waiting.max { $0.value.count < $1.value.count }
                guard let largest, largest.value.count > own + 1 else { return work }
                refused = waiting[largest.key]?.popLast()
                leavePlace(of: largest.key)
            }
            allPlacesTaken += 1
            placesTaken[network] = own + 1
            if waiting[network] == nil { turns.append(network) }
            waiting[network, default: CircularBuffer()].append(work)
            return refused
        }

        mutating func leavePlace(of network: String) {
            allPlacesTaken -= 1
            let own = placesTaken[network, default: 1]
            placesTaken[network] = own > 1 ? own - 1 : nil
        }

        mutating func next() -> Work? {
            guard let network = turns.popFirst(), let work = waiting[network]?.popFirst() else { return nil }
            if waiting[network]?.isEmpty == true { waiting[network] = nil } else { turns.append(network) }
            return work
        }
    }
}
