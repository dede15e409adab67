import Foundation
import NIOCore
import NIOSSL
import PouchDomain
import Synchronization

/// A mistake in the files of `ServerConfiguration.TLS`.
public enum TLSFilesError: Error, Equatable, CustomStringConvertible {
    case noCertificates(path: String)
    case noKey(path: String)
    /// The key does not belong to the chain's first certificate.
    case otherKey(path: String, certificatePath: String)

    public var description: String {
        switch self {
        case .noCertificates(let path): "\(path) is not a PEM certificate chain"
        case .noKey(let path): "\(path) does not contain a PEM private key"
        case .otherKey(let path, let certificatePath): "\(path) does not match the certificate in \(certificatePath)"
        }
    }
}

/// The certificate chain and key of a server, as last read from its files.
///
///     try shop.certificate?.reload()
///
/// Open connections keep the certificate with which they began. New connections get the latest.
public final class ServingCertificate: Sendable {
    private let files: ServerConfiguration.TLS
    private let latest: Mutex<CertificateWithKey>

    init(_ files: ServerConfiguration.TLS) throws(TLSFilesError) {
        self.files = files
        latest = Mutex(try CertificateWithKey(files))
    }

    /// Reads the files again. After an error, new connections get the previous certificate.
    ///
    /// - Returns: the time at which the certificate expires.
    @discardableResult
    public func reload() throws(TLSFilesError) -> Date {
        let read = try CertificateWithKey(files)
        latest.withLock { $0 = read }
        return read.expiry
    }

    /// TLS 1.2 or later, with the latest certificate for each handshake.
    var settings: TLSConfiguration {
        var settings = latest.withLock { $0.settings }
        settings.sslContextCallback = { [self] _, answer in
            let current = latest.withLock { $0 }
            var change = NIOSSLContextConfigurationOverride()
            change.certificateChain = current.chain.map { .certificate($0) }
            change.privateKey = .privateKey(current.key)
            answer.succeed(change)
        }
        return settings
    }
}

/// A certificate chain and its key.
struct CertificateWithKey {
    /// The chain, with the server's own certificate first.
    let chain: [NIOSSLCertificate]
    let key: NIOSSLPrivateKey

    init(_ files: ServerConfiguration.TLS) throws(TLSFilesError) {
        guard let chain = try? NIOSSLCertificate.fromPEMFile(files.certificatePath), !chain.isEmpty else {
            throw .noCertificates(path: files.certificatePath)
        }
        guard let key = try? NIOSSLPrivateKey(file: files.keyPath, format: .pem) else {
            throw .noKey(path: files.keyPath)
        }
        self.chain = chain
        self.key = key
        // Otherwise the mistake would only appear at the first handshake.
        guard (try? NIOSSLContext(configuration: settings)) != nil else {
            throw .otherKey(path: files.keyPath, certificatePath: files.certificatePath)
        }
    }

    var settings: TLSConfiguration {
        var settings = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        settings.minimumTLSVersion = .tlsv12
        settings.cipherSuiteValues = Self.suites
        return settings
    }

    /// The TLS 1.2 suites that keep traffic secret after the key is stolen and authenticate what they decrypt. TLS 1.3
    /// has only such suites.
    private static let suites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    /// The time at which the first certificate of the chain expires.
    var expiry: Date { chain.map { Date(timeIntervalSince1970: Double($0.notValidAfter)) }.min() ?? .distantPast }

    /// The time from which all certificates of the chain are valid.
    var start: Date { chain.map { Date(timeIntervalSince1970: Double($0.notValidBefore)) }.max() ?? .distantPast }

    /// The host names of the server's own certificate, such as `shop.example.com` or `*.example.com`.
    var names: [String] {
        chain[0]._subjectAlternativeNames().filter { $0.nameType == .dnsName }.map {
            String(decoding: $0.contents, as: UTF8.self).lowercased()
        }
    }

    /// Whether the certificate is for the host name. A wildcard stands for one label.
    func isFor(_ host: String) -> Bool {
        let host = host.lowercased()
        return names.contains { name in
            if name == host { return true }
            guard name.hasPrefix("*."), let dot = host.firstIndex(of: ".") else { return false }
            return host[dot...] == name.dropFirst()
        }
    }
}
