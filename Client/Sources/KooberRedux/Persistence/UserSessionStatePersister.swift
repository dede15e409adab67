import KooberKit
import PouchEntities

/// Keeps what the state says of who is signed in, whoever else does, too: a data store writes nothing that it has already.
@MainActor
public protocol UserSessionStatePersister: AnyObject {
    /// From now on; the present state is taken for what is kept already. Does nothing when called again.
    func startPersistingStateChanges(to dataStore: any UserSessionDataStore)
}

/// Does one thing after the other, to the last of them also when it is gone itself.
@MainActor
public final class ReduxUserSessionStatePersister: UserSessionStatePersister {
    private enum Change: Sendable {
        case save(UserSession)
        case delete(UserSession)

        func failed(_ error: any Error, id: SerialNumber) -> PersistenceAction {
            switch self {
            case .save(let session):
                let message = ErrorMessage(title: "You will not stay signed in", error)
                return .saveFailed(ErrorToPresent(id: id, message: message), userSession: session.id)
            case .delete:
                let message = ErrorMessage(title: "Your session is still kept on this device", error)
                return .deleteFailed(ErrorToPresent(id: id, message: message))
            }
        }
    }

    private let userSession: StatePublisher<UserSession?>
    private let actionDispatcher: any ActionDispatcher<PersistenceAction>
    private let serialNumbers: SerialNumbers
    private let changes: AsyncStream<Change>
    private let change: AsyncStream<Change>.Continuation
    private var subscription: StateSubscription?

    public init(
        userSession: StatePublisher<UserSession?>,
        actionDispatcher: any ActionDispatcher<PersistenceAction>,
        serialNumbers: SerialNumbers
    ) {
        self.userSession = userSession
        self.actionDispatcher = actionDispatcher
        self.serialNumbers = serialNumbers
        (changes, change) = AsyncStream.makeStream(of: Change.self)
    }

    deinit {
        change.finish()
    }

    public func startPersistingStateChanges(to dataStore: any UserSessionDataStore) {
        guard subscription == nil else { return }
        var kept: UserSession?
        var isFirst = true
        subscription = userSession.subscribe { [change] session in
            if isFirst {
                isFirst = false
            } else if let session {
                change.yield(.save(session))
            } else if let kept {
                change.yield(.delete(kept))
            }
            kept = session
        }
        // Outlives the persister until all that has happened is kept.
        Task { [changes, actionDispatcher, serialNumbers] in
            for await change in changes {
                do {
                    switch change {
                    case .save(let session): try await dataStore.save(userSession: session)
                    case .delete(let session): try await dataStore.delete(userSession: session)
                    }
                } catch {
                    actionDispatcher.dispatch(change.failed(error, id: serialNumbers.next()))
                }
            }
        }
    }
}
