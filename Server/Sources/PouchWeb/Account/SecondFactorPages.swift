import Foundation
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchWire

extension PageRoutes {
    /// The second factor of a member of the staff. Its secret and its recovery codes are shown once, as the answers of
    /// their forms.
    func addSecondFactorPages() {
        let pages = SecondFactorPages(site: site)
        let path = AccountFrame.Item.secondFactor.rawValue
        let state = page("/account/second-factor", for: .customer) { try await pages.state($0) }
        form("/account/second-factor", for: .customer, showing: state) { submission in
            let secret = try SecondFactorSecret(
                json: try await submission.send(Contract.beginSecondFactor, confirmedOn: path))
            return try await pages.setup(submission.visit, secret)
        }
        let again = PageRoute(state.path) { try await pages.setup($0, nil) }
        form("/account/second-factor/confirm", for: .customer, showing: again) { submission in
            let codes = try RecoveryCodes(
                json: try await submission.send(Contract.enableSecondFactor, confirmedOn: path))
            return try await pages.codes(submission.visit, codes)
        }
        form("/account/second-factor/remove", for: .customer, showing: state) { submission in
            _ = try await submission.send(Contract.removeSecondFactor, confirmedOn: path)
            submission.notice("factor-removed")
            return Redirect(to: path)
        }
    }
}

private struct SecondFactorPages: Sendable {
    let site: Site

    /// The account's second factor, and whether the password was confirmed within the last minutes.
    private func stored(_ visit: Visit) async throws -> (factor: SecondFactor, isFresh: Bool) {
        guard try visit.principal.kind == .admin else { throw RequestProblem(.notFound) }
        let confirmedSince = site.now.addingTimeInterval(-Principal.Demand.freshness)
        return try await site.read(visit) { [site] principal, repositories in
            let standing = try repositories.staff.standing(sessionId: principal.sessionId)
            return (
                try SecondFactors(site.environment).state(of: principal, in: repositories),
                standing.map { $0.confirmedAt >= confirmedSince } ?? false
            )
        }
    }

    func state(_ visit: Visit) async throws -> PageContent {
        let (factor, isFresh) = try await stored(visit)
        return content(
            visit, factor,
            [
                "needsConfirmation": !isFresh,
                "confirmAction": PagePath.adding(
                    [("next", AccountFrame.Item.secondFactor.rawValue)], to: "/confirm"),
                "needsCode": factor.isEnabled, "canBegin": isFresh && !factor.isEnabled,
                "canRemove": isFresh && factor.isEnabled,
            ])
    }

    /// - Parameter secret: nil after a wrong code: the app has it by then, and it is not shown again.
    func setup(_ visit: Visit, _ secret: SecondFactorSecret?) async throws -> PageContent {
        let factor = try await stored(visit).factor
        var setup: PageValues = ["hasSecret": false]
        if let secret {
            let groups = stride(from: 0, to: secret.secret.count, by: 4).map {
                secret.secret.dropFirst($0).prefix(4)
            }
            setup = ["hasSecret": true, "secret": groups.joined(separator: " "), "uri": secret.uri]
        }
        return content(visit, factor, ["setup": setup, "canBegin": secret == nil])
    }

    func codes(_ visit: Visit, _ codes: RecoveryCodes) async throws -> PageContent {
        content(visit, try await stored(visit).factor, ["hasRecoveryCodes": true, "recoveryCodes": codes.codes])
    }

    private func content(_ visit: Visit, _ factor: SecondFactor, _ values: PageValues) -> PageContent {
        let left = site.text("factor-codes-left", visit, visit.language.number(factor.recoveryCodesLeft))
        let state: PageValues = [
            "isEnabled": factor.isEnabled, "isRequired": factor.isRequired == true, "codesLeftText": left,
        ]
        return AccountFrame(site: site, visit: visit).content(
            "second-factor", .secondFactor, title: "factor-title", state.merging(values) { $1 })
    }
}
