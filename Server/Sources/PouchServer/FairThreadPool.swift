import NIOCore
import NIOPosix
import PouchDomain
import Synchronization

/// Threads for slow work that callers wait for, shared fairly between their networks: the networks take turns.
///
/// Each urgency has a queue of 256 places, of which one network can take 32, so that a flood fails fast. A place is
/// taken until the work is done.
final class FairThreadPool: Sendable {
    enum Urgency {
        /// Taken first, but every fourth piece of work is an ordinary one.
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

    /// - Throws: what the work throws, and ``OverloadError`` when no place is free. The work is not started then.
    func run<Value: Sendable>(
        _ urgency: Urgency, for network: String, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isAccepted = queues.withLock { queues in
                queues[urgency].append(for: network) {
                    let result = Result(catching: work)
                    self.queues.withLock { $0[urgency].leavePlace(of: network) }
                    continuation.resume(with: result)
                }
            }
            guard isAccepted else { return continuation.resume(throwing: OverloadError(retryAfterSeconds: 2)) }
            // Each piece of work brings a thread, which takes the most urgent piece.
            threads.submit { _ in self.queues.withLock { $0.next() }?() }
        }
    }

    private typealias Work = @Sendable () -> Void

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
        private var allPlacesTaken = 0

        /// - Returns: false when no place is free. The work is not appended then.
        mutating func append(for network: String, _ work: @escaping Work) -> Bool {
            let own = placesTaken[network, default: 0]
            guard allPlacesTaken < places, own < placesOfOneNetwork else { return false }
            allPlacesTaken += 1
            placesTaken[network] = own + 1
            if waiting[network] == nil { turns.append(network) }
            waiting[network, default: CircularBuffer()].append(work)
            return true
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
