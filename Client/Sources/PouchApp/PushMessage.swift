import Foundation
import PouchCoordination
import PouchScreens

/// The content of a push notification: the page that it opens, and a text.
///
/// A notification that arrives while the app is open is sent as a message from the notification section upwards, so
/// that an app's own section can show it; otherwise the root shows a notice.
///
///     { "aps": { "alert": "Your order is on its way." }, "order": "ord_1" }
///     { "text": "New hats", "url": "pouch://products?category=hats" }
public struct PushMessage: Message, Hashable {
    /// The maximum size of a payload that is read, in bytes: Apple's limit.
    public static let longestPayload = 4096
    private static let longestText = 300

    public let page: ShopPage
    /// Text for the user, one line of at most 300 characters; nil if the payload has none.
    public let text: String?

    public init(page: ShopPage, text: String? = nil) {
        self.page = page
        self.text = text
    }

    /// - Parameters:
    ///   - json: the payload as bytes.
    ///   - shop: the web address whose links are read, in addition to those with the scheme `pouch`.
    /// - Returns: nil for JSON that is too long, or names no page.
    public init?(json: Data, of shop: URL? = nil) {
        guard json.count <= Self.longestPayload,
            let payload = try? JSONSerialization.jsonObject(with: json) as? [String: Any]
        else { return nil }
        self.init(payload: payload, of: shop)
    }

    /// - Parameters:
    ///   - payload: the dictionary of a system's notification. Unknown keys are ignored.
    ///   - shop: the web address whose links are read, in addition to those with the scheme `pouch`.
    /// - Returns: nil for a payload that names no page.
    public init?(payload: [AnyHashable: Any], of shop: URL? = nil) {
        if let id = payload["order"] as? String {
            page = .order(id: id)
            // An id that is out of bounds has no link.
            guard page.url() != nil else { return nil }
        } else {
            guard let link = payload["url"] as? String, let url = URL(string: link),
                let page = ShopPage(url: url, of: shop)
            else { return nil }
            self.page = page
        }
        let alert = (payload["aps"] as? [AnyHashable: Any])?["alert"]
        let given =
            (alert as? String) ?? (alert as? [AnyHashable: Any])?["body"] as? String ?? payload["text"] as? String
        text = given.map(Self.line).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The text without control characters and breaks, shortened.
    private static func line(_ text: String) -> String {
        let breaks: Set<Unicode.GeneralCategory> = [.control, .lineSeparator, .paragraphSeparator]
        let visible = text.unicodeScalars.map { breaks.contains($0.properties.generalCategory) ? " " : String($0) }
            .joined()
        return String(visible.prefix(longestText)).trimmingCharacters(in: .whitespaces)
    }
}

/// The handling of a push notification.
public enum PushOutcome: Sendable, Hashable {
    /// The user tapped it, and its page was opened.
    case opened(ShopPage)
    /// It arrived while the app was open, and was shown.
    case shown(ShopPage)
    /// It names no page of the shop.
    case ignored
}
