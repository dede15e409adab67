import PouchDomain

extension AccountService {
    /// For making accounts from the command line, where nobody is signed in.
    public static func administration(
        _ environment: DomainEnvironment, passwordCost: ScryptPasswordHasher.Cost = .standard
    ) async throws -> AccountService {
        let keyRing = try await KeyRing(environment)
        let tokens = JWTAccessTokens(keyRing: keyRing, time: environment.time)
        return AccountService(
            environment,
            issuer: SessionIssuer(environment, keyRing: keyRing, accessTokens: tokens),
            passwords: try ScryptPasswordHasher(cost: passwordCost),
            carts: CartService(environment))
    }
}
