import KooberKit
import KooberScreens
import PouchEntities

/// The common steps of signing in and signing up, over the service and the store of this device.
@MainActor
struct Authentication {
    let onboarding: StateStore<OnboardingState>
    let main: StateStore<MainState>
    let remoteAPI: any AuthRemoteAPI
    let dataStore: any UserSessionDataStore
    let events: Broadcaster<AppEvent>

    /// Sends the form, stores the session, and shows the signed-in app or the problem. Does nothing while a form is
    /// being sent.
    ///
    /// - Parameter input: throws if it is incomplete, in which case it is not sent.
    func perform<Input: Sendable>(
        in run: UseCaseRun<some UseCaseSteps>, _ input: @autoclosure () throws(ErrorMessage) -> Input,
        call: @escaping @Sendable (Input) async throws(ErrorMessage) -> UserSession
    ) {
        guard !onboarding.state.form.isBusy else { return }
        let complete: Input
        do { complete = try input() } catch { return fail(error) }
        onboarding.update { $0.form = FormScreen(isBusy: true) }
        run.perform {
            do throws(ErrorMessage) {
                let userSession = try await call(complete)
                try await keep(userSession)
                main.update { $0 = .signedIn(userSession) }
                events.broadcast(.signedIn(userSession.id))
            } catch {
                fail(error)
            }
        }
    }

    private func keep(_ userSession: UserSession) async throws(ErrorMessage) {
        do throws(ErrorMessage) {
            try await dataStore.save(userSession)
        } catch {
            // The user sees a failure, so no session may remain at the service.
            try? await remoteAPI.signOut(userSession)
            throw error
        }
    }

    /// Shows the problems of the input next to its fields, and every other error over the form.
    private func fail(_ error: ErrorMessage) {
        onboarding.update {
            $0.form = FormScreen(problems: error.fields)
            if error.fields.isEmpty { $0.errors.append(error) }
        }
    }
}
