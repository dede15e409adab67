import Foundation
import PouchAsyncHTTPClient
import PouchNetwork
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TrustTests {
    private func isUntrusted(_ error: any Error) -> Bool {
        if case .untrusted = error as? NetworkError { true } else { false }
    }

    @Test func `a server that shows a pinned certificate is trusted`() async throws {
        let server = try await TLSServer()
        let transport = try AsyncHTTPClientTransport(
            trust: .certificates([TestCertificate.other, TestCertificate.server]))
        #expect(try await transport.response(to: NetworkRequest(url: server.url())).data == Data("ok".utf8))
    }

    @Test(arguments: [ServerTrust.certificates([TestCertificate.other]), .certificates([]), .system])
    func `a server that shows another certificate than the pinned ones gets no request`(trust: ServerTrust) async throws
    {
        let server = try await TLSServer()
        let transport = try AsyncHTTPClientTransport(trust: trust)
        await #expect {
            _ = try await transport.response(to: NetworkRequest(url: server.url()))
        } throws: {
            isUntrusted($0)
        }
    }

    @Test func `a certificate that nobody vouches for is refused by URLSession, too`() async throws {
        let server = try await TLSServer()
        await #expect {
            _ = try await URLSessionTransport().response(to: NetworkRequest(url: server.url()))
        } throws: {
            isUntrusted($0)
        }
    }

    @Test(arguments: SomeTransport.allCases)
    func `a transport that cannot pin public keys is not made`(kind: SomeTransport) throws {
        #if canImport(Security)
            guard kind != .urlSession else { return }
        #endif
        #expect(throws: UnsupportedTrust.self) { try kind.make(trust: .publicKeys([Data(count: 32)])) }
    }

    #if !canImport(Security)
        @Test func `URLSession on Linux cannot pin certificates, so that there is none that only seems to`() {
            #expect(throws: UnsupportedTrust.self) {
                try URLSessionTransport(trust: .certificates([TestCertificate.server]))
            }
        }
    #endif

    @Test func `a certificate that cannot be read makes no transport`() {
        #expect(throws: UnsupportedTrust("a certificate cannot be read")) {
            try AsyncHTTPClientTransport(trust: .certificates([Data("garbage".utf8)]))
        }
    }

    @Test func `the public key is found in a certificate, and in garbage there is none`() {
        #expect(SubjectPublicKeyInfo.bytes(inCertificate: TestCertificate.server) == TestCertificate.serverPublicKey)
        for length in 0..<TestCertificate.server.count {
            let cut = TestCertificate.server.prefix(length)
            #expect(SubjectPublicKeyInfo.bytes(inCertificate: cut) == nil)
        }
        #expect(SubjectPublicKeyInfo.bytes(inCertificate: Data(repeating: 0xFF, count: 64)) == nil)
        #expect(SubjectPublicKeyInfo.bytes(inCertificate: Data([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF])) == nil)
    }
}
