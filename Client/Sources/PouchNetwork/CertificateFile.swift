import Foundation

extension ServerTrust {
    /// The maximum size of a file with certificates, in bytes. Systems' own files have about 200 KB.
    private static let largestFile = 4 << 20
    private static let start = "-----BEGIN CERTIFICATE-----"
    private static let end = "-----END CERTIFICATE-----"

    /// Trusts only the certificates of a PEM file, such as that of a private certificate authority.
    ///
    ///     let trust = try ServerTrust(certificatesAt: URL(filePath: "/etc/shop/authority.pem"))
    ///     let pouch = Pouch(server: shop, transport: try StandardTransport(trust: trust))
    public init(certificatesAt file: URL) throws(CertificateFileError) {
        guard let handle = try? FileHandle(forReadingFrom: file),
            let data = try? handle.read(upToCount: Self.largestFile + 1) ?? Data()
        else { throw .unreadable }
        try self.init(pem: data)
    }

    /// Trusts only the certificates of a PEM text (RFC 7468). Text around the certificates is ignored.
    public init(pem: Data) throws(CertificateFileError) {
        guard pem.count <= Self.largestFile else { throw .tooLarge(limit: Self.largestFile) }
        var certificates: [Data] = []
        for part in String(decoding: pem, as: UTF8.self).components(separatedBy: Self.start).dropFirst() {
            guard let end = part.range(of: Self.end),
                let certificate = Data(
                    base64Encoded: String(part[..<end.lowerBound].filter { !$0.isWhitespace })),
                SubjectPublicKeyInfo.bytes(inCertificate: certificate) != nil
            else { throw .damaged(certificate: certificates.count + 1) }
            certificates.append(certificate)
        }
        guard !certificates.isEmpty else { throw .noCertificates }
        self = .certificates(certificates)
    }
}

/// The reason why no certificates could be read from a file.
public enum CertificateFileError: Error, Sendable, Equatable {
    /// There is no such file, or no permission to read it.
    case unreadable
    /// The limit is in bytes.
    case tooLarge(limit: Int)
    /// The file is empty, or not a PEM file.
    case noCertificates
    /// A certificate, counted from 1, is not a complete and valid X.509 certificate.
    case damaged(certificate: Int)
}

extension CertificateFileError: LocalizedError {
    /// A sentence for the user.
    public var errorDescription: String? {
        switch self {
        case .unreadable: "The file does not exist or cannot be read."
        case .tooLarge(let limit): "The file is larger than \(limit >> 20) MiB."
        case .noCertificates: "The file contains no PEM certificate (-----BEGIN CERTIFICATE-----)."
        case .damaged(let number): "Certificate \(number) of the file is damaged."
        }
    }
}
