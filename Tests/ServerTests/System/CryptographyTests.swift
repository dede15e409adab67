import ServerTesting
import Synchronization
import Testing

@testable import PouchServer

/// The vectors of the standards: what other versions of the server have stored and signed stays valid.
@Suite("Cryptography")
struct CryptographyTests {
    @Test func `A password is verified as RFC 7914 says`() async throws {
        let passwords = try ScryptPasswordHasher(cost: .init(log2N: 4, blockSize: 8, parallelism: 1))
        // §12, third vector; the first 32 of its 64 bytes.
        let hash = "$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046_2o-7qQT44-qbVD9lRdofI"
        #expect(try await passwords.verify("pleaseletmein", against: hash, network: ""))
        #expect(try await !passwords.verify("pleaseletmeiN", against: hash, network: ""))
        #expect(try await !passwords.verify("", against: hash, network: ""))
        #expect(try await !passwords.verify("pleaseletmein", against: nil, network: ""))
    }

    @Test(arguments: [
        "$scrypt$ln=14,r=8,p=0$U29k$cCO9", "$scrypt$ln=14,r=9999999999,p=1$U29k$cCO9", "$scrypt$ln=14$U29k$cCO9",
    ])
    func `A damaged hash verifies no password`(hash: String) async throws {
        let passwords = try ScryptPasswordHasher(cost: .init(log2N: 4, blockSize: 8, parallelism: 1))
        #expect(try await !passwords.verify("pleaseletmein", against: hash, network: ""))
    }

    @Test(arguments: [(0, 8, 1), (25, 8, 1), (4, 0, 1), (4, 65, 1), (4, 8, 0), (4, 8, 65), (.min, .max, .max)])
    func `A cost out of bounds is refused`(log2N: Int, blockSize: Int, parallelism: Int) {
        #expect(throws: (any Error).self) {
            try ScryptPasswordHasher(cost: .init(log2N: log2N, blockSize: blockSize, parallelism: parallelism))
        }
    }

    @Test func `Digests are those of FIPS 180 and RFC 4231`() throws {
        let digests = CryptoDigests()
        let abc = digests.sha256(Data("abc".utf8))
        #expect(abc.hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(digests.sha256(Data()).hex == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        let (key, data) = (Data("Jefe".utf8), Data("what do ya want for nothing?".utf8))
        let code = digests.hmacSHA256(data, key: key)
        #expect(code.hex == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect(digests.isHMACSHA256(code, of: data, key: key))
        #expect(!digests.isHMACSHA256(code, of: data, key: Data()))
        #expect(!digests.isHMACSHA256(code.dropLast(), of: data, key: key))
        let empty = digests.hmacSHA256(Data(), key: Data())
        #expect(empty.hex == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }
}

extension Data {
    var hex: String { map { String(format: "%02x", $0) }.joined() }
}

@Suite("Threads that networks share", .timeLimit(.minutes(5)))
struct FairThreadPoolTests {
    /// One thread, kept busy until all callers have arrived, and the names of the works in the order in which they ran.
    private final class Rig: Sendable {
        let pool = FairThreadPool(threads: 1)
        private let gate = DispatchSemaphore(value: 0)
        private let order = Mutex<[String]>([])
        private let (refusals, refuse) = AsyncStream<Void>.makeStream()

        /// Sends more work of each caller than it has places for. Frees the thread when all have one or were refused,
        /// and returns the names in the order in which the works ran.
        func run(_ callers: [(name: String, urgency: FairThreadPool.Urgency, network: String)]) async throws -> [String]
        {
            try await withThrowingTaskGroup { group in
                let (busy, isBusy) = AsyncStream<Void>.makeStream()
                group.addTask {
                    try await self.pool.run(.ordinary, for: "the gate") {
                        isBusy.finish()
                        self.gate.wait()
                    }
                }
                for await _ in busy {}
                for (name, urgency, network) in callers {
                    for _ in 0..<FairThreadPool.placesOfOneNetwork + 8 {
                        group.addTask {
                            do {
                                try await self.pool.run(urgency, for: network) {
                                    self.order.withLock { $0.append(name) }
                                }
                            } catch is OverloadError {
                                self.refuse.yield()
                            }
                        }
                    }
                }
                // Those that are not refused wait for the thread.
                let own = FairThreadPool.placesOfOneNetwork
                var missing = callers.count * (own + 8) - min(callers.count * own, FairThreadPool.places)
                for await _ in refusals {
                    missing -= 1
                    if missing == 0 { break }
                }
                gate.signal()
                try await group.waitForAll()
                return order.withLock { names in
                    defer { names = [] }
                    return names
                }
            }
        }
    }

    @Test func `A network gets its places, others stay free, and the places are free again after work`() async throws {
        let rig = Rig()
        for _ in 0..<2 {
            let order = try await rig.run([("a", .ordinary, "192.0.2.1"), ("b", .ordinary, "192.0.2.2")])
            for name in ["a", "b"] { #expect(order.count { $0 == name } == FairThreadPool.placesOfOneNetwork) }
        }
    }

    @Test func `All networks together get 256 places, and each some, also when eight have taken all`() async throws {
        let order = try await Rig().run((0..<9).map { ("\($0)", .urgent, "192.0.2.\($0)") })
        #expect(order.count == FairThreadPool.places)
        let places = (0..<9).map { name in order.count { $0 == "\(name)" } }
        #expect(places.allSatisfy { $0 >= 25 }, "\(places)")
    }

    @Test func `Networks take turns`() async throws {
        let order = try await Rig().run([("a", .urgent, "192.0.2.1"), ("b", .urgent, "192.0.2.2")])
        #expect(order.prefix(20).count { $0 == "a" } == 10)
    }

    @Test func `Urgent work goes first, and every fourth piece is an ordinary one`() async throws {
        let order = try await Rig().run([("hash", .ordinary, "192.0.2.1"), ("sign-in", .urgent, "192.0.2.2")])
        let turn = ["sign-in", "sign-in", "sign-in", "hash"]
        #expect(Array(order.prefix(8)) == turn + turn)
    }

    @Test func `The error of the work reaches its caller, and its place is free again`() async throws {
        struct Failure: Error {}
        let pool = FairThreadPool(threads: 1)
        for _ in 0...FairThreadPool.placesOfOneNetwork {
            await #expect(throws: Failure.self) { try await pool.run(.urgent, for: "192.0.2.1") { throw Failure() } }
        }
    }
}

/// The tests do not move the clock: a key is valid as soon as it is in the database.
@Suite("Signing key rotation", .timeLimit(.minutes(5)), .inShop(runsJobs: false))
struct KeyRotationTests {
    private static let keyId = "0123456789abcdef"

    /// The server that runs before the new key exists.
    private let older = TestShop.current

    /// Runs a server of the shop that signs with the new key.
    private func open(_ body: @Sendable (_ newer: TestShop) async throws -> Void) async throws {
        try await older.addKey(Self.keyId)
        try await older.another(body)
    }

    /// The id of the key that signed the session's access token.
    private func keyId(_ session: UserSession?) throws -> String? {
        struct Header: Decodable { let kid: String }
        let text = try #require(session?.remoteSession.accessToken.split(separator: ".").first)
        return try Data(base64URL: text).map { try JSONDecoder().decode(Header.self, from: $0).kid }
    }

    @Test func `A key that is added while another is looked up is found`() async throws {
        let store = GatedStore(older.store)
        let keyRing = try await KeyRing(older.environment.over(store))
        store.close()
        async let unknown = keyRing.key(id: "ffffffffffffffff")
        try await eventually { store.waiting == 1 }
        try await older.addKey(Self.keyId)
        // Each task runs up to the wait for the read that started before the key was added.
        let asking = (0..<20).map { _ in Task.immediate { try await keyRing.key(id: Self.keyId)?.id } }
        store.open()
        for task in asking { #expect(try await task.value == Self.keyId) }
        #expect(try await unknown == nil)
    }

    @Test func `A running server refuses the tokens of a key that was removed, and apps get new ones`() async throws {
        try await TestShop.open { shop in
            let customer = try await shop.customer()
            let old = try #require(try keyId(customer.session))
            try await shop.addKey(Self.keyId)
            try await customer.profile().good()
            #expect(try await shop.store.write { try $0.keys.remove(id: old) })
            try await eventually { try await customer.profile().status == 401 }
            let refreshed = try await shop.refresh(customer.refreshToken).good()
            #expect(try keyId(refreshed) == Self.keyId)
            try await shop.caller(refreshed).profile().good()
        }
    }

    @Test func `The newer server accepts a token of the old key`() async throws {
        try await open { newer in
            let guest = try await older.guest()
            #expect(try keyId(guest.session) != Self.keyId)
            try await newer.caller(try #require(guest.session)).call(Contract.cart).good()
            let next = try await newer.refresh(guest.refreshToken).good()
            #expect(try keyId(next) == Self.keyId)
            try await older.caller(next).call(Contract.cart).good()
        }
    }

    @Test func `Both servers give a refresh token the same successor`() async throws {
        try await open { newer in
            let guest = try await newer.guest()
            let successor = try await newer.refresh(guest.refreshToken).good()
            let again = try await older.refresh(guest.refreshToken).good()
            #expect(again.remoteSession.refreshToken == successor.remoteSession.refreshToken)
            // The older server signs with the new key once it has seen it.
            #expect(try keyId(again) == Self.keyId)
            for shop in [older, newer] { try await shop.caller(again).call(Contract.cart).good() }
        }
    }

    @Test func `Fifty concurrent exchanges at both servers give one successor`() async throws {
        try await open { newer in
            let guest = try await older.guest()
            let tokens = try await parallel(50) { index in
                let shop = index.isMultiple(of: 2) ? older : newer
                return try await shop.refresh(guest.refreshToken).good().remoteSession.refreshToken
            }
            #expect(Set(tokens).count == 1)
        }
    }

    @Test func `The older server accepts tokens of the new key, also among those of an unknown key`() async throws {
        try await open { newer in
            let guest = try await newer.guest()
            #expect(try keyId(guest.session) == Self.keyId)
            let parts = try guest.accessToken.split(separator: ".")
            let header = String(decoding: try #require(Data(base64URL: parts[0])), as: UTF8.self)
            let text = header.replacing(Self.keyId, with: "ffffffffffffffff")
            let unknown = "Bearer \(Data(text.utf8).base64URL).\(parts[1]).\(parts[2])"
            let there = older.caller(try #require(guest.session))
            let statuses = try await parallel(100) { index in
                index.isMultiple(of: 2)
                    ? try await older.anyone.send("GET", "/v1/cart", headers: ["Authorization": unknown]).status
                    : try await there.call(Contract.cart).status
            }
            #expect(statuses == (0..<100).map { $0.isMultiple(of: 2) ? 401 : 200 })
        }
    }
}
