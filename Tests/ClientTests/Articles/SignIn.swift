import PouchClient

func signIn(email: String, password: String, to pouch: Pouch) async -> String {
    do throws(DataError) {
        let session = try await pouch.account.signIn(email: email, password: password)
        return "Hello, \(session.profile?.name ?? email)."
    } catch {
        return error.errorDescription ?? "Something went wrong."
    }
}

@MainActor
func followAccount(of pouch: Pouch, show: (UserSession?) -> Void) async throws(DataError) {
    try await pouch.account.restore()
    for await session in pouch.account.sessions() { show(session) }
}

func signOut(of pouch: Pouch) async -> String {
    do throws(DataError) {
        try await pouch.account.signOut()
        return "Goodbye."
    } catch {
        return "You are signed out here. " + (error.errorDescription ?? "The shop could not be reached.")
    }
}
