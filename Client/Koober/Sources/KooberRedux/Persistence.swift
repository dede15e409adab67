import Foundation
import KooberKit
import KooberScreens
import PouchEntities

/// The session of the signed-in user. Its tokens are neither encoded nor described.
public struct SessionState: Codable, Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    /// Without tokens in a decoded state.
    public var userSession: UserSession

    public init(_ userSession: UserSession) {
        self.userSession = userSession
    }

    public var id: UserSession.ID { userSession.id }
    public var profile: Profile? { userSession.profile }
    public var description: String { "session \(id)" }
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }

    private enum CodingKeys: String, CodingKey {
        case id, kind, profile
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        userSession = UserSession(
            id: try fields.decode(String.self, forKey: .id),
            kind: try fields.decode(SessionKind.self, forKey: .kind),
            profile: try fields.decodeIfPresent(Profile.self, forKey: .profile),
            remoteSession: RemoteSession(
                accessToken: "", accessTokenExpiresAt: .distantPast, refreshToken: "",
                refreshTokenExpiresAt: .distantPast))
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(userSession.kind, forKey: .kind)
        try fields.encodeIfPresent(profile, forKey: .profile)
    }
}

/// A failure of the persister. Its successes dispatch no action.
public enum PersistenceAction: Codable, Equatable, Sendable {
    case saveFailed(ErrorMessage, userSession: UserSession.ID)
    case deleteFailed(ErrorMessage)
}

extension Reducers {
    /// Reports a failed save only during that session, and a failed deletion only while the user is signed out.
    static func persistence(_ state: inout AppState, _ action: PersistenceAction) {
        switch (state.stage, action) {
        case (.signedIn(var signedIn), .saveFailed(let error, let id)) where signedIn.session.id == id:
            signedIn.errors.append(error)
            state.stage = .signedIn(signedIn)
        case (.onboarding(var onboarding), .deleteFailed(let error)):
            onboarding.errors.append(error)
            state.stage = .onboarding(onboarding)
        default: break
        }
    }
}

// MARK: Persister

/// Stores the session of the state. Nothing else writes the data store.
@MainActor
public protocol UserSessionStatePersister: AnyObject {
    /// Writes later changes of the session. The current session is assumed to be stored. Does nothing the second time.
    func startPersistingStateChanges(to dataStore: any UserSessionDataStore)
    /// Returns once the changes so far are written, or throws if the last of them could not be written.
    func finishWriting() async throws(ErrorMessage)
}

/// Writes changes one at a time, and finishes writing even after it is deallocated.
@MainActor
public final class ReduxUserSessionStatePersister: UserSessionStatePersister {
    private let session: StatePublisher<SessionState?>
    private let actionDispatcher: any ActionDispatcher<PersistenceAction>
    private var subscription: Subscription?
    private var stored: SessionState?
    private var writing: Task<ErrorMessage?, Never>?

    public init(session: StatePublisher<SessionState?>, actionDispatcher: any ActionDispatcher<PersistenceAction>) {
        self.session = session
        self.actionDispatcher = actionDispatcher
    }

    public func startPersistingStateChanges(to dataStore: any UserSessionDataStore) {
        guard subscription == nil else { return }
        var isFirst = true
        subscription = session.subscribe { [weak self] session in
            if !isFirst { self?.write(session, to: dataStore) }
            isFirst = false
            self?.stored = session
        }
    }

    public func finishWriting() async throws(ErrorMessage) {
        if let failure = await writing?.value { throw failure }
    }

    private func write(_ session: SessionState?, to dataStore: any UserSessionDataStore) {
        writing = Task { [writing, stored, actionDispatcher] in
            _ = await writing?.value
            do throws(ErrorMessage) {
                if let session {
                    try await dataStore.save(session.userSession)
                } else if let stored {
                    try await dataStore.delete(stored.userSession)
                }
                return nil
            } catch {
                actionDispatcher.dispatch(
                    session.map { .saveFailed(error, userSession: $0.id) } ?? .deleteFailed(error))
                return error
            }
        }
    }
}
