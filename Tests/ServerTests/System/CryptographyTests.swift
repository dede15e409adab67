import Foundation
import PouchDomain
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
        #expect(
            digests.sha256(Data("abc".utf8)).hex
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            digests.sha256(Data()).hex == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
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
    fileprivate var hex: String { map { String(format: "%02x", $0) }.joined() }
}
