import Foundation
import PouchEntities
import PouchJSON

/// The second factors of staff: one-time passwords, and recovery codes for a lost device.
///
/// The secret is stored unencrypted: the server needs it, and a key to decrypt it would be in the same database. So
/// members can still sign in after signing keys were rotated and retired. No answer shows the secret again.
public struct SecondFactors: Sendable {
    /// The number of wrong codes of one account within the window after which no code is accepted.
    static let failureLimit = 10
    static let window: TimeInterval = 3600
    public static let recoveryCodes = 10

    private let environment: DomainEnvironment

    public init(_ environment: DomainEnvironment) {
        self.environment = environment
    }

    // MARK: Checking

    /// The outcome of a check. It is not thrown inside the transaction, which must commit the failure.
    public enum Outcome: Sendable, Equatable {
        case passed
        case required
        case wrong
        case throttled(retryAfterSeconds: Int)

        /// - Throws: `DomainError.secondFactorRequired`, `.secondFactorInvalid`, `.tooManyAttempts`.
        public func check() throws(DomainError) {
            switch self {
            case .passed: return
            case .required: throw .secondFactorRequired
            case .wrong: throw .secondFactorInvalid
            case .throttled(let seconds): throw .tooManyAttempts(retryAfterSeconds: seconds)
            }
        }
    }

    /// Checks the code of an account, and uses it up. Passes for an account without a second factor.
    ///
    /// - Parameter account: locked in the transaction, so that concurrent guesses are counted one by one.
    func check(_ code: String?, of account: AccountRecord, in repositories: any Repositories) throws -> Outcome {
        // Customers have no second factor, so their sign-in needs no further read.
        guard account.role.staffRole != nil,
            let factor = try repositories.secondFactors.factor(accountId: account.id), factor.isEnabled
        else { return .passed }
        guard let code, !code.isEmpty else { return .required }
        return try guess(code, of: account.id, in: repositories) { code in
            if let step = password(factor).step(of: code, at: environment.time.now, after: factor.lastStep) {
                return try repositories.secondFactors.use(step: step, accountId: account.id)
            }
            return try repositories.secondFactors.use(recoveryHash: hash(code, of: account.id), accountId: account.id)
        }
    }

    /// Checks a code, and counts it if it is wrong.
    private func guess(
        _ code: String, of accountId: String, in repositories: any Repositories, _ isRight: (String) throws -> Bool
    ) throws -> Outcome {
        let now = environment.time.now
        let limit = AttemptLimit(Self.failureLimit, "second factor", accountId, by: environment.digests)
        if let wait = try repositories.sessions.wait([limit], window: Self.window, at: now) {
            return .throttled(retryAfterSeconds: wait)
        }
        guard try isRight(code.filter { !$0.isWhitespace }) else {
            try repositories.sessions.addFailure(key: limit.key, attempt: environment.ids.make(.attempt), at: now)
            return .wrong
        }
        return .passed
    }

    private func password(_ factor: SecondFactorRecord) -> OneTimePassword {
        OneTimePassword(secret: factor.secret, digests: environment.digests)
    }

    // MARK: Enrolment

    public func state(of principal: Principal, in repositories: any Repositories) throws -> SecondFactor {
        let factors = repositories.secondFactors
        let isEnabled = try factors.factor(accountId: principal.ownerId)?.isEnabled == true
        let isStaff = try repositories.accounts.account(id: principal.ownerId)?.role.staffRole != nil
        return SecondFactor(
            isEnabled: isEnabled,
            recoveryCodesLeft: isEnabled ? try factors.recoveryCodesLeft(accountId: principal.ownerId) : 0,
            isRequired: isStaff && environment.shop.staffNeedsSecondFactor)
    }

    /// Creates a secret, which takes effect once a code of it is confirmed. Replaces an unconfirmed secret.
    ///
    /// - Throws: `DomainError.forbidden` for a customer, `.secondFactorEnabled`.
    public func begin(for principal: Principal, in repositories: any Repositories) throws -> SecondFactorSecret {
        let account = try staff(principal, in: repositories)
        guard try repositories.secondFactors.factor(accountId: account.id)?.isEnabled != true else {
            throw DomainError.secondFactorEnabled
        }
        let secret = Data(environment.random.bytes(OneTimePassword.secretBytes))
        try repositories.secondFactors.begin(secret: secret, accountId: account.id, at: environment.time.now)
        let text = ByteAlphabet.base32Capital.text(secret)
        var uri = URLComponents()
        (uri.scheme, uri.host, uri.path) = ("otpauth", "totp", "/Pouch:" + account.email)
        uri.queryItems = [
            URLQueryItem(name: "secret", value: text), URLQueryItem(name: "issuer", value: "Pouch"),
            URLQueryItem(name: "algorithm", value: "SHA1"),
            URLQueryItem(name: "digits", value: String(OneTimePassword.digits)),
            URLQueryItem(name: "period", value: String(Int(OneTimePassword.period))),
        ]
        return SecondFactorSecret(secret: text, uri: uri.string ?? "")
    }

    /// Enables the second factor with a first code of its secret.
    ///
    /// - Returns: the recovery codes, which cannot be shown again; nil unless the outcome is `passed`.
    /// - Throws: `DomainError.forbidden` for a customer, `.notFound` without a secret, `.secondFactorEnabled`.
    public func enable(
        _ code: String, for principal: Principal, in repositories: any Repositories
    ) throws -> (Outcome, RecoveryCodes?) {
        let account = try staff(principal, in: repositories)
        let factor = try repositories.secondFactors.factor(accountId: account.id).orNotFound()
        guard !factor.isEnabled else { throw DomainError.secondFactorEnabled }
        let codes = (0..<Self.recoveryCodes).map { _ in ByteAlphabet.base32.text(environment.random.bytes(10)) }
        let outcome = try guess(code, of: account.id, in: repositories) { code in
            let now = environment.time.now
            guard let step = password(factor).step(of: code, at: now, after: 0) else { return false }
            try repositories.secondFactors.enable(
                accountId: account.id, step: step, recoveryHashes: codes.map { hash($0, of: account.id) }, at: now)
            return true
        }
        return (outcome, outcome == .passed ? RecoveryCodes(codes: codes.map(Self.grouped)) : nil)
    }

    /// Removes the second factor with its recovery codes.
    ///
    /// - Returns: whether it was enabled; false for a secret without a first code.
    /// - Throws: `DomainError.notFound` if there is none.
    public func remove(for principal: Principal, in repositories: any Repositories) throws -> Bool {
        let factor = try repositories.secondFactors.factor(accountId: principal.ownerId)
        guard try repositories.secondFactors.delete(accountId: principal.ownerId) else { throw DomainError.notFound }
        return factor?.isEnabled ?? false
    }

    private func staff(_ principal: Principal, in repositories: any Repositories) throws -> AccountRecord {
        guard let account = try repositories.accounts.account(id: principal.ownerId, locking: true) else {
            throw DomainError.unauthenticated
        }
        guard account.role.staffRole != nil else {
            throw DomainError.forbidden("Only staff can have a second factor.")
        }
        return account
    }

    // MARK: Recovery codes

    /// Formats `0123456789abcdef` as `0123-4567-89ab-cdef`.
    private static func grouped(_ code: String) -> String {
        stride(from: 0, to: code.count, by: 4).map { String(code.dropFirst($0).prefix(4)) }.joined(separator: "-")
    }

    /// The codes have 80 random bits, so a fast hash is enough.
    private func hash(_ code: String, of accountId: String) -> Data {
        let letters = code.lowercased().filter { $0 != "-" }
        return environment.digests.sha256(Data("recovery code\n\(accountId)\n\(letters)".utf8))
    }
}

/// The stored second factor of an account.
public struct SecondFactorRecord: Sendable, Equatable {
    public let secret: Data
    /// Whether a code of the secret has been confirmed.
    public let isEnabled: Bool
    /// The step of the last used code. Codes of this and earlier steps are refused.
    public let lastStep: Int64

    public init(secret: Data, isEnabled: Bool, lastStep: Int64) {
        self.secret = secret
        self.isEnabled = isEnabled
        self.lastStep = lastStep
    }
}

extension SecondFactorRecord: CustomStringConvertible {
    /// The description without the secret.
    public var description: String { "SecondFactorRecord(enabled: \(isEnabled))" }
}

public protocol SecondFactorRepository {
    func factor(accountId: String) throws -> SecondFactorRecord?
    /// Stores a secret that is not enabled. Replaces another such secret.
    func begin(secret: Data, accountId: String, at: Date) throws
    func enable(accountId: String, step: Int64, recoveryHashes: [Data], at: Date) throws
    /// - Returns: false, without writing, if this or a later step was used.
    func use(step: Int64, accountId: String) throws -> Bool
    /// Deletes a recovery code.
    ///
    /// - Returns: false if there is no such code.
    func use(recoveryHash: Data, accountId: String) throws -> Bool
    func recoveryCodesLeft(accountId: String) throws -> Int
    /// - Returns: false if there was none.
    func delete(accountId: String) throws -> Bool
}

/// Time-based one-time passwords (RFC 6238) with SHA-1 and steps of 30 seconds, as in authenticator apps.
public struct OneTimePassword: Sendable {
    /// The length of a step in seconds.
    public static let period: TimeInterval = 30
    public static let digits = 6
    /// The length of a secret in bytes, as recommended by RFC 4226 §4.
    static let secretBytes = 20
    /// The number of steps before and after the current one whose codes are accepted, since clocks differ.
    private static let drift: Int64 = 1

    private let secret: Data
    private let digests: any Digests

    public init(secret: Data, digests: any Digests) {
        self.secret = secret
        self.digests = digests
    }

    public static func step(at time: Date) -> Int64 {
        Int64((time.timeIntervalSince1970 / period).rounded(.down))
    }

    /// The code of a step (RFC 4226 §5.3).
    public func code(step: Int64, digits: Int = Self.digits) -> String {
        let counter = withUnsafeBytes(of: step.bigEndian) { Data($0) }
        let mac = Array(digests.hmacSHA1(counter, key: secret))
        let offset = Int(mac[mac.count - 1] & 0xf)
        let number = mac[offset..<(offset + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
        let modulus = (0..<digits).reduce(UInt32(1)) { product, _ in product * 10 }
        let text = String(number % modulus)
        return String(repeating: "0", count: digits - text.count) + text
    }

    /// The step of a code, if it is one of the current steps and later than the last one used.
    ///
    /// Compares with all of them in constant time.
    func step(of code: String, at now: Date, after last: Int64) -> Int64? {
        let current = Self.step(at: now)
        return ((current - Self.drift)...(current + Self.drift)).reduce(nil) { found, step in
            let matches = digests.isEqual(Data(self.code(step: step).utf8), Data(code.utf8))
            return matches && step > last ? step : found
        }
    }
}
