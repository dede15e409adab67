import Foundation
import PouchMail

/// The settings of the shop's pages.
///
///     var web = WebSettings(publicURL: "https://shop.example.com", theme: try WebTheme())
///     web.shopName = "Atelier"
public struct WebSettings: Sendable {
    /// The name in the header of each page.
    public var shopName = "Pouch"
    /// The seller in the footer of each page and on invoices, by line: the address, a tax number. Empty for none.
    public var shopAddress: [String] = []
    /// The public address of the shop, without a trailing slash.
    public var publicURL: String
    public var theme: WebTheme
    /// Whether cookies are sent only over TLS, which ends at the server or at a proxy.
    public var isSecure: Bool { publicURL.hasPrefix("https://") }
    /// Whether to add a page with all parts of the design, for developers and designers.
    public var showsStyleguide = false
    /// The shop's e-mail settings, for previews; nil for a shop that sends no e-mail.
    public var mail: MailSettings?
    /// The server's health report for the administration; nil for none.
    public var report: ServerReport?

    /// The maximum number of addresses in one part of the site map. Search engines read up to 50,000.
    public var siteMapEntries = 50_000

    public init(publicURL: String, theme: WebTheme) {
        self.publicURL = publicURL
        self.theme = theme
    }
}
