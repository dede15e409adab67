import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchWire

extension ShopRouter {
    /// Password confirmation and second factors.
    static func confirmationRoutes(_ routes: RouteRegistrar, _ services: ShopServices) {
        let confirmation = ConfirmationHandlers(services)
        routes(Contract.confirmSession).perform(confirmation.confirm)
        routes(Contract.secondFactor).read(confirmation.secondFactor)
        routes(Contract.beginSecondFactor).write(confirmation.begin)
        routes(Contract.enableSecondFactor).perform(confirmation.enable)
        routes(Contract.removeSecondFactor).delete(confirmation.remove)
    }
}

/// The confirmation of a session's password, and the second factor of its account.
struct ConfirmationHandlers {
    private let store: any ShopStore
    private let accounts: AccountService
    private let factors: SecondFactors

    init(_ services: ShopServices) {
        store = services.store
        accounts = services.accounts
        factors = SecondFactors(services.environment)
    }

    func confirm(_ call: Call<ConfirmationRequest>) async throws -> Response {
        try await accounts.confirm(
            call.principal, password: call.input.password, code: call.input.code, network: call.context.network)
        return .noContent
    }

    func secondFactor(_ call: Call<Void>, in repositories: any Repositories) throws -> Reply<SecondFactor> {
        Reply(try factors.state(of: call.principal, in: repositories))
    }

    func begin(_ call: Call<Void>, in repositories: any Repositories) throws -> Reply<SecondFactorSecret> {
        Reply(try factors.begin(for: call.principal, in: repositories))
    }

    func enable(_ call: Call<CodeRequest>) async throws -> Response {
        let (outcome, codes) = try await store.write(.readCommitted) { repositories in
            try call.principal.checkSession(.readCommitted, in: repositories)
            return try factors.enable(call.input.code, for: call.principal, in: repositories)
        }
        try outcome.check()
        guard let codes else { throw DomainError.secondFactorInvalid }
        return try Reply(codes).stored(status: Contract.enableSecondFactor.status).response
    }

    func remove(_ call: Call<Void>, in repositories: any Repositories) throws {
        try factors.remove(for: call.principal, in: repositories)
    }
}
