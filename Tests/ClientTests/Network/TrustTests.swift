import ClientTesting
import Foundation
import Loopback
import NIOSSL
import PouchNetwork
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TrustTests {
    @Test(arguments: SomeTransport.pinning)
    func `a server with a pinned certificate is trusted`(kind: SomeTransport) async throws {
        let server = try await TLSServer()
        let transport = try kind.make(trust: .certificates([TestCertificate.other, TestCertificate.server]))
        #expect(try await transport.response(to: NetworkRequest(url: server.url())).data == Data("ok".utf8))
    }

    @Test(
        arguments: SomeTransport.pinning,
        [ServerTrust.certificates([TestCertificate.other]), .certificates([]), .system])
    func `a server without a pinned certificate gets no request`(kind: SomeTransport, trust: ServerTrust) async throws {
        let server = try await TLSServer()
        let error = try await kind.make(trust: trust).error(of: NetworkRequest(url: server.url()))
        #expect(error?.isUntrusted == true)
        #expect(server.answers == 0)
    }

    @Test(arguments: SomeTransport.pinning)
    func `a server that speaks TLS 1.1 at most gets no request`(kind: SomeTransport) async throws {
        let server = try await TLSServer(latest: .tlsv11)
        let transport = try kind.make(trust: .certificates([TestCertificate.server]))
        #expect(await transport.error(of: NetworkRequest(url: try server.url())) != nil)
        #expect(server.answers == 0)
    }

    @Test func `URLSession refuses a self-signed certificate, too`() async throws {
        let server = try await TLSServer()
        #expect(await URLSessionTransport().error(of: NetworkRequest(url: try server.url()))?.isUntrusted == true)
    }

    @Test(arguments: SomeTransport.allCases)
    func `a transport that cannot pin public keys is not created`(kind: SomeTransport) throws {
        #if canImport(Security)
            guard kind != .urlSession else { return }
        #endif
        #expect(throws: UnsupportedTrust.self) { try kind.make(trust: .publicKeys([Data(count: 32)])) }
    }

    #if !canImport(Security)
        @Test func `URLSession on Linux refuses to pin certificates, which it could not check`() {
            #expect(throws: UnsupportedTrust.self) {
                try URLSessionTransport(trust: .certificates([TestCertificate.server]))
            }
        }
    #endif

    @Test(arguments: SomeTransport.pinning)
    func `an unreadable certificate makes no transport`(kind: SomeTransport) {
        #expect(throws: UnsupportedTrust("a certificate cannot be read")) {
            try kind.make(trust: .certificates([Data("garbage".utf8)]))
        }
    }

    @Test func `the public key is found in a certificate and not in garbage`() {
        #expect(SubjectPublicKeyInfo.bytes(inCertificate: TestCertificate.server) == TestCertificate.serverPublicKey)
        for length in 0..<TestCertificate.server.count {
            let cut = TestCertificate.server.prefix(length)
            #expect(SubjectPublicKeyInfo.bytes(inCertificate: cut) == nil)
        }
        #expect(SubjectPublicKeyInfo.bytes(inCertificate: Data(repeating: 0xFF, count: 64)) == nil)
        #expect(SubjectPublicKeyInfo.bytes(inCertificate: Data([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF])) == nil)
    }

    // MARK: - Files

    @Test func `all certificates of a PEM text are trusted, with any line breaks and text between them`() throws {
        let both = ServerTrust.certificates([TestCertificate.other, TestCertificate.server])
        let text = TestCertificate.pem(TestCertificate.other, TestCertificate.server)
        #expect(try ServerTrust(pem: Data(text.utf8)) == both)
        #expect(try ServerTrust(pem: Data(text.replacing("\n", with: "\r\n").utf8)) == both)
    }

    @Test func `a file without complete certificates is an error that says why`() throws {
        func error(_ text: String) -> CertificateFileError? {
            #expect(throws: CertificateFileError.self) { try ServerTrust(pem: Data(text.utf8)) }
        }
        let good = TestCertificate.pem(TestCertificate.server)
        #expect(error("") == .noCertificates)
        #expect(error("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n") == .noCertificates)
        #expect(error(TestCertificate.server.base64EncodedString()) == .noCertificates)
        #expect(error(good + String(good.dropLast(40))) == .damaged(certificate: 2))
        #expect(error(good.replacing("MII", with: "AII")) == .damaged(certificate: 1))
        #expect(error(good + String(repeating: " ", count: 4 << 20)) == .tooLarge(limit: 4 << 20))
        #expect(throws: CertificateFileError.unreadable) {
            try ServerTrust(certificatesAt: URL(filePath: "/nonexistent/authority.pem"))
        }
        #expect(throws: CertificateFileError.unreadable) { try ServerTrust(certificatesAt: URL(filePath: "/tmp")) }
    }
}
