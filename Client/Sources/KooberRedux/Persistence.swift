import KooberKit
import PouchEntities

/// A failure of the persister. Its successes dispatch no action.
public enum PersistenceAction: Equatable, Sendable {
    case saveFailed(ErrorToPresent, userSession: UserSession.ID)
    case deleteFailed(ErrorToPresent)
}

extension Reducers {
    /// Reports a failed save only during that session, and a failed deletion only while the user is signed out.
    static func persistence(_ state: AppState, _ action: PersistenceAction) -> AppState {
        switch (state, action) {
        case (.signedIn(var state), .saveFailed(let error, let id)) where state.userSession.id == id:
            state.errors.append(error)
            return .signedIn(state)
        case (.onboarding(var state), .deleteFailed(let error)):
            state.errors.append(error)
            return .onboarding(state)
        default:
            return state
        }
    }
}

// MARK: Persister

/// Stores the session of the state. The repository stores sessions, too: a data store skips one that it already has.
@MainActor
public protocol UserSessionStatePersister: AnyObject {
    /// Writes later changes of the session. The present session counts as stored. Does nothing the second time.
    func startPersistingStateChanges(to dataStore: any UserSessionDataStore)
}

/// Writes one change after the other, and finishes writing even after it is deallocated.
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
    private let changes: AsyncStream<Change>
    private let change: AsyncStream<Change>.Continuation
    private var subscription: StateSubscription?

    public init(
        userSession: StatePublisher<UserSession?>, actionDispatcher: any ActionDispatcher<PersistenceAction>
    ) {
        self.userSession = userSession
        self.actionDispatcher = actionDispatcher
        (changes, change) = AsyncStream.makeStream(of: Change.self)
    }

    deinit {
        change.finish()
    }

    public func startPersistingStateChanges(to dataStore: any UserSessionDataStore) {
        guard subscription == nil else { return }
        var stored: UserSession?
        var isFirst = true
        subscription = userSession.subscribe { [change] session in
            if isFirst {
                isFirst = false
            } else if let session {
                change.yield(.save(session))
            } else if let stored {
                change.yield(.delete(stored))
            }
            stored = session
        }
        // Not cancelled with the persister, so that the changes so far are still written.
        Task { [changes, actionDispatcher] in
            for await change in changes {
                do {
                    switch change {
                    case .save(let session): try await dataStore.save(userSession: session)
                    case .delete(let session): try await dataStore.delete(userSession: session)
                    }
                } catch {
                    actionDispatcher.dispatch(change.failed(error, id: actionDispatcher.nextSerialNumber()))
                }
            }
        }
    }
}
