import Foundation
import PouchContract
import PouchEntities
import PouchNetwork
import PouchWire

// Sessions and accounts of a test shop.

extension TestShop.World {
    // MARK: Sessions

    /// The session of an access token; nil after its end. A token that the shop did not create is the id of its owner,
    /// as in `UserSession.sample`: a guest's begins with `ses_`.
    func session(of token: String) -> UserSession? {
        guard !endedTokens.contains(token) else { return nil }
        return sessions[token]
            ?? (token.hasPrefix("ses_") ? .sample(guest: token) : .sample(profiles[token] ?? .sample(id: token)))
    }

    /// Adds a session that a device stored before.
    mutating func keep(_ session: UserSession) {
        sessions[session.remoteSession.accessToken] = session
        if let profile = session.profile, profiles[profile.id] == nil { profiles[profile.id] = profile }
    }

    private mutating func start(_ make: (_ token: String) -> UserSession, as token: String) -> NetworkResponse {
        var token = token
        if sessions[token] != nil || endedTokens.contains(token) { token = newId(token + "#", besides: []) }
        let session = make(token)
        sessions[token] = session
        return .json(session, status: 201)
    }

    mutating func endSessions(of owner: String, except token: String? = nil) {
        for (other, session) in sessions where session.owner == owner && other != token { end(other) }
        if owner != token { end(owner) }
    }

    mutating func end(_ token: String) {
        sessions[token] = nil
        endedTokens.insert(token)
    }

    // MARK: Accounts

    mutating func accountAnswer(_ call: TestCall) throws(Refusal) -> NetworkResponse? {
        switch call.endpoint {
        case Contract.startGuestSession:
            return start({ .sample(guest: $0) }, as: "ses_guest")
        case Contract.signUp:
            let wanted = try call.body(Contract.signUp)
            let (email, name) = (wanted.email.normalizedEmail, wanted.name.trimmingCharacters(in: .whitespaces))
            let problems =
                FieldProblem.text("name", name) + FieldProblem.password("password", wanted.password)
                + FieldProblem.telephone(wanted.mobileNumber) + FieldProblem.email(wanted.email)
            try problems.check()
            guard passwords[email] == nil, !profiles.values.contains(where: { $0.email == email }) else {
                throw Refusal(.emailTaken)
            }
            passwords[email] = wanted.password
            deleted.remove(email)
            let profile = profile(of: email, name: name, mobileNumber: wanted.mobileNumber)
            mail(.emailVerification, to: profile.email, of: profile.id)
            return signIn(profile, call)
        case Contract.signIn:
            let wanted = try call.body(Contract.signIn)
            let email = wanted.email.normalizedEmail
            guard !deleted.contains(email), passwords[email].map({ $0 == wanted.password }) ?? true else {
                throw Refusal(.invalidCredentials)
            }
            try check(code: wanted.code, of: email)
            return signIn(profile(of: email), call)
        case Contract.refreshSession:
            let token = try call.body(Contract.refreshSession).refreshToken.split(separator: " ", maxSplits: 1)
            guard token.count == 2, let session = session(of: String(token[1])) else { throw Refusal(.unauthenticated) }
            return .json(session)
        case Contract.signOut:
            if let token = call.token { end(token) }
            return NetworkResponse(status: 204)
        default:
            if let answer = try openSafetyAnswer(call) { return answer }
            return try customerAnswer(call)
        }
    }

    /// The account of an e-mail address, which is created if there is none.
    private mutating func profile(of email: String, name: String? = nil, mobileNumber: String? = nil) -> Profile {
        if let known = profiles.values.first(where: { $0.email == email }) { return known }
        let first = email.split(separator: "@").first.map(String.init) ?? email
        let id = "acc_" + first
        let profile = Profile(
            id: profiles[id] == nil ? id : newId(id, besides: Array(profiles.keys)),
            name: name ?? first.capitalized, email: email, mobileNumber: mobileNumber, emailVerified: false)
        profiles[profile.id] = profile
        return profile
    }

    /// Starts a session, which adopts a guest's cart and orders, and ends the guest session.
    private mutating func signIn(_ profile: Profile, _ call: TestCall) -> NetworkResponse {
        if let guest = call.session, guest.kind == .guest, let token = call.token {
            end(token)
            orders[profile.id] = (orders.removeValue(forKey: guest.id) ?? []) + (orders[profile.id] ?? [])
            mergeCart(of: guest.id, into: profile.id)
            kept[profile.id, default: [:]].merge(kept.removeValue(forKey: guest.id) ?? [:]) { own, _ in own }
        }
        return start(
            { UserSession(id: "ses_of_" + $0, kind: .customer, profile: profile, remoteSession: .of($0)) },
            as: profile.id)
    }

    private mutating func customerAnswer(_ call: TestCall) throws(Refusal) -> NetworkResponse? {
        let known = profiles[call.owner] ?? Profile.sample(id: call.owner)
        switch call.endpoint {
        case Contract.profile: return .json(known)
        case Contract.updateProfile:
            let wanted = try call.body(Contract.updateProfile)
            var profile = known
            profile.name = wanted.name ?? known.name
            profile.mobileNumber = wanted.mobileNumber.applied(to: known.mobileNumber)
            profile.avatarURL = wanted.avatarURL.applied(to: known.avatarURL)
            try (FieldProblem.text("name", profile.name) + FieldProblem.telephone(profile.mobileNumber)).check()
            profiles[call.owner] = profile
            return .json(profile)
        case Contract.deleteAccount:
            try check(try call.body(Contract.deleteAccount).password, of: known)
            endSessions(of: known.id)
            deleted.insert(known.email)
            (passwords[known.email], profiles[known.id], addresses[known.id]) = (nil, nil, nil)
            (orders[known.id], rides[known.id], kept[known.id]) = (nil, nil, nil)
            mailedTokens.removeAll { $0.account == known.id }
            removeCart(of: known.id)
            return NetworkResponse(status: 204)
        case Contract.changePassword:
            let wanted = try call.body(Contract.changePassword)
            try FieldProblem.password("newPassword", wanted.newPassword).check()
            try check(wanted.currentPassword, of: known)
            passwords[known.email] = wanted.newPassword
            endSessions(of: known.id, except: call.token)
            mailedTokens.removeAll {
                $0.account == known.id && ($0.purpose == .passwordReset || $0.email != known.email)
            }
            return NetworkResponse(status: 204)
        case Contract.confirmSession:
            let wanted = try call.body(Contract.confirmSession)
            try check(wanted.password, of: known)
            try check(code: wanted.code, of: known.email)
            if let token = call.token { confirmedTokens.insert(token) }
            return NetworkResponse(status: 204)
        case Contract.addresses:
            return try call.page(of: addresses[call.owner] ?? [], call.query(PageQuery.self)) { $0.id ?? "" }
        case Contract.addAddress: return .json(try addAddress(call), status: 201)
        case Contract.updateAddress, Contract.deleteAddress: return try knownAddressAnswer(call)
        default: return try safetyAnswer(call, of: known)
        }
    }

    func check(_ password: String, of profile: Profile) throws(Refusal) {
        guard passwords[profile.email].map({ $0 == password }) ?? true else {
            throw Refusal(.invalidCredentials, detail: "The current password is wrong.")
        }
    }

    private func check(code: String?, of email: String) throws(Refusal) {
        guard let needed = secondFactors[email] else { return }
        guard let code else { throw Refusal(.secondFactorRequired) }
        guard code == needed else { throw Refusal(.secondFactorInvalid) }
    }

    // MARK: Addresses

    private mutating func addAddress(_ call: TestCall) throws(Refusal) -> Address {
        var address = try call.body(Contract.addAddress).address()
        try FieldProblem.address(address).check()
        let known = addresses[call.owner] ?? []
        guard known.count < ModelLimits.addresses else { throw Refusal(.limitReached) }
        address.id = newId("adr_", besides: known.compactMap(\.id))
        addresses[call.owner] = known + [address]
        return address
    }

    private mutating func knownAddressAnswer(_ call: TestCall) throws(Refusal) -> NetworkResponse {
        guard let index = addresses[call.owner]?.firstIndex(where: { $0.id == call.parameter }),
            let old = addresses[call.owner]?[index]
        else { throw Refusal(.notFound) }
        if call.endpoint == Contract.deleteAddress.endpoint {
            addresses[call.owner]?.remove(at: index)
            return NetworkResponse(status: 204)
        }
        let address = try call.body(Contract.updateAddress).applied(to: old)
        try FieldProblem.address(address).check()
        addresses[call.owner]?[index] = address
        return .json(address)
    }
}
