import Foundation
import KooberKit
import KooberRedux
import KooberScreens
import KooberTexts
import PouchEntities
import PouchTesting

enum ReduxSample {
    static let accessToken = "access-token-of-ada"
    static let refreshToken = "refresh-token-of-ada"
    static let password = "correct horse"

    static let ada = UserSession.sample("ses_ada", token: accessToken, refresh: refreshToken)
    static let grace = UserSession.sample("ses_grace", token: "access-token-of-grace", refresh: "refresh-of-grace")
    static let renewed = UserSession.sample("ses_ada", token: "renewed-token", refresh: "renewed-refresh")

    /// The options for Bondi, the first of which is selected.
    static let selected: RideOptionPickerState = {
        var picker = RideOptionPickerState(to: Sample.bondi, selecting: "wallaby")
        picker.options = Sample.options
        return picker
    }()

    /// The app with this step of Ada's session.
    static func signedIn(_ step: SignedInState.Step, profile: ProfileState = .closed) -> AppState {
        var state = SignedInState(session: SessionState(ada))
        (state.step, state.profile) = (step, profile)
        return AppState(.signedIn(state))
    }

    static func pickMeUp(_ step: PickMeUpState.Step? = nil) -> SignedInState.Step {
        var state = PickMeUpState(pickupLocation: Sample.sydney)
        if let step { state.step = step }
        return .pickMeUp(state)
    }

    static let map = signedIn(pickMeUp())
}

/// Returns a state or an action as another process reads it: without tokens.
func restored<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
}

extension UserSession {
    fileprivate static func sample(_ id: String, token: String, refresh: String) -> UserSession {
        UserSession(
            id: id, kind: .customer, profile: Profile.sample(id: "acc_" + id),
            remoteSession: RemoteSession(
                accessToken: token, accessTokenExpiresAt: .sample, refreshToken: refresh,
                refreshTokenExpiresAt: .sample))
    }
}

extension ErrorMessage {
    /// An error that is equal for equal words.
    static func sample(_ words: String) -> ErrorMessage {
        let digits = String(words.utf8.reduce(1) { ($0 * 31 + Int($1)) % 1_000_000_000_000 })
        let padded = String(repeating: "0", count: 12 - digits.count) + digits
        return ErrorMessage(
            id: UUID(uuidString: "00000000-0000-0000-0000-" + padded) ?? UUID(), title: .somethingWentWrong,
            message: .verbatim(words))
    }
}

/// Shortcuts of tests to a part of the state. They change nothing if the state has no such part.
extension AppState {
    mutating func changeOnboarding(_ change: (inout OnboardingState) -> Void) {
        guard case .onboarding(var state) = stage else { return }
        change(&state)
        stage = .onboarding(state)
    }

    mutating func changeSignedIn(_ change: (inout SignedInState) -> Void) {
        guard case .signedIn(var state) = stage else { return }
        change(&state)
        stage = .signedIn(state)
    }

    mutating func changePickMeUp(_ change: (inout PickMeUpState) -> Void) {
        changeSignedIn { signedIn in
            guard case .pickMeUp(var state) = signedIn.step else { return }
            change(&state)
            signedIn.step = .pickMeUp(state)
        }
    }
}
