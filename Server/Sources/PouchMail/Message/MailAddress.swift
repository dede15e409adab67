import Foundation

/// An e-mail address, with or without a name before it.
///
///     MailAddress("The Burrow <shop@example.com>")?.address   // shop@example.com
public struct MailAddress: Sendable, Equatable {
    public let name: String?
    /// A local part without quotes and a domain, as in `ada@example.com`. A domain in another script is in its ASCII form.
    public let address: String

    /// - Returns: nil for a text that cannot stand in a mail's header and in an SMTP command.
    public init?(address: String, name: String? = nil) {
        guard let at = address.lastIndex(of: "@"), Self.isLocalPart(address[..<at]),
            let domain = Self.domain(String(address[address.index(after: at)...]))
        else { return nil }
        self.address = address[..<at] + "@" + domain
        let name = name.map(HeaderText.line)?.trimmingCharacters(in: .whitespaces)
        self.name = name?.isEmpty == false ? name : nil
    }

    /// - Parameter text: `name <address>` or an address.
    public init?(_ text: String) {
        let text = text.trimmingCharacters(in: .whitespaces)
        // Otherwise the end of a line would become part of the name.
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return nil }
        guard text.hasSuffix(">"), let open = text.lastIndex(of: "<") else {
            self.init(address: text)
            return
        }
        let name = text[..<open].trimmingCharacters(in: .whitespaces)
        let isQuoted = name.count >= 2 && name.hasPrefix("\"") && name.hasSuffix("\"")
        self.init(
            address: String(text[text.index(after: open)...].dropLast()),
            name: isQuoted ? String(name.dropFirst().dropLast()) : name)
    }

    /// The sender of a shop that has no name yet, for mails that stay on this machine.
    public static let unnamedShop = MailAddress(checked: "shop@localhost", name: "The shop")

    private init(checked address: String, name: String) { (self.address, self.name) = (address, name) }

    /// The host of the address.
    var domain: Substring { address[address.index(after: address.lastIndex(of: "@") ?? address.startIndex)...] }

    /// Whether it can be used with a server that does not speak SMTPUTF8.
    var isASCII: Bool { address.utf8.allSatisfy { $0 < 0x80 } }

    // MARK: Parts

    /// Whether the text is a dot-atom of RFC 5322, or of RFC 6532 with letters of all scripts.
    private static func isLocalPart(_ text: Substring) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
                !atom.isEmpty && atom.unicodeScalars.allSatisfy { $0.isASCII ? isAtomText($0) : isWordPart($0) }
            }
    }

    private static func isAtomText(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: "!#$%&'*+-/=?^_`{|}~".unicodeScalars.contains(scalar)
        }
    }

    /// Whether it is a letter, a digit or a mark: no space, no direction, nothing invisible.
    private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber:
            true
        default: false
        }
    }

    private static func domain(_ text: String) -> String? {
        // Foundation converts labels in other scripts as browsers do.
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        guard let domain = isASCII ? text : URLComponents(string: "http://\(text)/")?.encodedHost,
            (1...253).contains(domain.utf8.count)
        else { return nil }
        let isDomain = domain.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.unicodeScalars.allSatisfy {
                    switch $0 {
                    case "a"..."z", "A"..."Z", "0"..."9", "-": true
                    default: false
                    }
                }
        }
        return isDomain ? domain : nil
    }
}
