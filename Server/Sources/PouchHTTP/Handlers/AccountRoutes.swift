import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchWire

extension ShopRouter {
    /// Sign-up, sign-in and sign-out.
    ///
    /// - Parameter limiter: limits the new sessions of a network; nil for no limit.
    static func addSessions(
        to routes: RouteRegistrar, _ services: ShopServices, _ authenticator: Authenticator, limiter: NetworkLimiter?
    ) {
        let (accounts, issuer) = (services.accounts, services.issuer)
        routes(Contract.signUp).open { call in
            try limiter?.take(from: call.context.network)
            let guest = try await authenticator.guest(call.request.headers)
            return try await accounts.signUp(
                name: call.input.name, email: call.input.email, mobileNumber: call.input.mobileNumber,
                password: call.input.password, network: call.context.network, userAgent: call.userAgent, guest: guest)
        }
        routes(Contract.signIn).open { call in
            try limiter?.take(from: call.context.network)
            let guest = try await authenticator.guest(call.request.headers)
            return try await accounts.signIn(
                email: call.input.email, password: call.input.password, code: call.input.code,
                network: call.context.network, userAgent: call.userAgent, guest: guest)
        }
        routes(Contract.startGuestSession).open { call in
            try limiter?.take(from: call.context.network)
            return try await accounts.startGuestSession()
        }
        routes(Contract.refreshSession).open { call in
            try await issuer.refresh(
                call.input.refreshToken, from: SessionOrigin(network: call.context.network, userAgent: call.userAgent))
        }
        routes(Contract.signOut).perform { try await accounts.signOut($0.principal) }
    }

    /// A customer's account, addresses, sessions and own data.
    static func addAccount(to routes: RouteRegistrar, _ services: ShopServices) {
        let (accounts, steps) = (services.accounts, routes.steps)
        routes(Contract.profile).read { try accounts.profile($0.principal, in: $1) }
        routes(Contract.updateProfile).write { call, repositories in
            try accounts.updateProfile(call.principal, in: repositories) { account in
                account.name = call.input.name ?? account.name
                account.mobileNumber = call.input.mobileNumber.applied(to: account.mobileNumber)
                account.avatarURL = call.input.avatarURL.applied(to: account.avatarURL)
            }
        }
        routes(Contract.deleteAccount).perform { call in
            try await accounts.delete(
                call.principal, password: call.input.password, network: call.context.network
            ) { account, repositories in
                guard account.role != .customer else { return }
                try steps.record(Contract.deleteAccount, by: account.id, call, in: repositories)
            }
        }
        routes(Contract.accountSessions).list("sessions", by: \.id) { call, page, repositories in
            try accounts.sessions(of: call.principal, after: page.after, limit: page.limit, in: repositories)
        }
        routes(Contract.endSession).delete { call, repositories in
            try accounts.endSession(id: call.parameter("id"), of: call.principal, in: repositories)
        }
        let export = AccountExportHandler(
            accounts: accounts, retention: OrderRetention(services.environment), store: services.store,
            time: services.environment.time)
        routes(Contract.exportAccount).stream(export.export)

        routes(Contract.addresses).read { [pages = routes.pages] call, repositories in
            try pages.page(
                of: try accounts.addresses(call.principal, in: repositories), list: "addresses", call.input,
                key: { $0.id ?? "" })
        }
        routes(Contract.addAddress).write { call, repositories in
            try accounts.addAddress(call.input.address(), for: call.principal, in: repositories)
        }
        routes(Contract.updateAddress).write { call, repositories in
            try accounts.updateAddress(id: call.parameter("id"), of: call.principal, in: repositories) {
                call.input.applied(to: $0)
            }
        }
        routes(Contract.deleteAddress).delete { call, repositories in
            try accounts.deleteAddress(id: call.parameter("id"), of: call.principal, in: repositories)
        }
    }

    /// Passwords, e-mail addresses, and the confirmation of a session with its second factor.
    static func addAccountSafety(to routes: RouteRegistrar, _ services: ShopServices) {
        let (accounts, store, steps) = (services.accounts, services.store, routes.steps)
        routes(Contract.changePassword).perform { call in
            try await accounts.changePassword(
                call.principal, from: call.input.currentPassword, to: call.input.newPassword,
                network: call.context.network)
        }
        routes(Contract.requestPasswordReset).open { call in
            try await accounts.requestPasswordReset(email: call.input.email, network: call.context.network)
        }
        routes(Contract.resetPassword).open { call in
            try await accounts.resetPassword(
                token: call.input.token, to: call.input.newPassword, network: call.context.network)
        }
        routes(Contract.requestVerification).perform { call in
            try await accounts.requestVerification(call.principal, network: call.context.network)
        }
        routes(Contract.verifyEmail).open { try await accounts.verifyEmail(token: $0.input.token) }
        routes(Contract.changeEmail).perform { call in
            try await accounts.changeEmail(
                call.principal, to: call.input.email, password: call.input.password, network: call.context.network)
        }
        routes(Contract.confirmSession).perform { call in
            try await accounts.confirm(
                call.principal, password: call.input.password, code: call.input.code, network: call.context.network)
        }

        let factors = SecondFactors(services.environment)
        routes(Contract.secondFactor).read { try factors.state(of: $0.principal, in: $1) }
        routes(Contract.beginSecondFactor).write { try factors.begin(for: $0.principal, in: $1) }
        routes(Contract.enableSecondFactor).perform { call in
            let (outcome, codes) = try await store.write(for: call.principal, .readCommitted) { repositories in
                let result = try factors.enable(call.input.code, for: call.principal, in: repositories)
                if result.0 == .passed {
                    try steps.record(
                        Contract.enableSecondFactor, by: call.principal.ownerId, call, in: repositories)
                }
                return result
            }
            try outcome.check()
            guard let codes else { throw DomainError.secondFactorInvalid }
            return try Reply(codes).stored(status: Contract.enableSecondFactor.status).response
        }
        routes(Contract.removeSecondFactor).delete { call, repositories in
            guard try factors.remove(for: call.principal, in: repositories) else { return }
            try steps.record(Contract.removeSecondFactor, by: call.principal.ownerId, call, in: repositories)
        }
    }
}
