import PouchDomain
import PouchHTTP

extension TestShop {
    /// An administrator who has signed in.
    func admin() async throws -> Caller {
        _ = try await services.accounts.create(
            name: "Grace", email: "grace@example.com", password: .password, role: .admin)
        return try await signIn("grace@example.com")
    }
}
