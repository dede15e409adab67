import Foundation
import PouchMail

/// The settings of the shop's pages.
///
///     var web = WebSettings(publicURL: "https://shop.example.com", theme: try WebTheme())
///     web.shopName = "Atelier"
public struct WebSettings: Sendable {
    /// The name in the header of each page.
    public var shopName = "Pouch"
    /// The seller at the foot of each page and on invoices, by line: the address, a tax number. Empty for none.
    public var shopAddress: [String] = []
    /// The address of the shop for its visitors, without a slash at its end.
    public var publicURL: String
    public var theme: WebTheme
    /// Whether cookies go over TLS only: TLS ends at the server or at a proxy.
    public var isSecure: Bool { publicURL.hasPrefix("https://") }
    /// Whether there is a page with all parts of the design, for those who work on it.
    public var showsStyleguide = false
    /// The mails of the shop, for their previews; nil for a shop that sends none.
    public var mail: MailSettings?
    /// The report of the server for the administration; nil for none.
    public var report: ServerReport?

    /// The most addresses in one part of the site map. Search engines read up to 50,000.
    public var siteMapEntries = 50_000

    public init(publicURL: String, theme: WebTheme) {
        self.publicURL = publicURL
        self.theme = theme
    }
}
