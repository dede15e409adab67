import Foundation
import PouchHTTP
import PouchJSON
import PouchWire

/// A message about a form's effect, which the next page shows once, with a form that takes it back if that is easy.
///
///     submission.tell("The tracking was removed.", undo: .init(action: path, fields: fields))
struct Notice: Sendable, Equatable {
    /// A form that takes the change back.
    struct Undo: Sendable, Equatable {
        /// The path to which it is sent.
        let action: String
        let fields: [Field]

        init(action: String, fields: [Field]) {
            self.action = action
            self.fields = fields
        }
    }

    struct Field: Sendable, Equatable {
        let name: String
        let value: String

        init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    let text: String
    /// Whether something was done, as the visitor asked.
    let isGood: Bool
    let undo: Undo?

    init(_ text: String, isGood: Bool = true, undo: Undo? = nil) {
        self.text = text
        self.isGood = isGood
        self.undo = undo
    }
}

extension Notice {
    /// The notice in a template.
    struct Values: PageValues {
        struct Undo: PageValues {
            let action, label: String
            let fields: [Field]
        }

        struct Field: PageValues {
            let name, value: String
        }

        let text: String
        let isGood: Bool
        let undo: Undo?

        init(_ notice: Notice) {
            text = notice.text
            isGood = notice.isGood
            undo = notice.undo.map { undo in
                Undo(
                    action: undo.action, label: "Undo", fields: undo.fields.map { .init(name: $0.name, value: $0.value) })
            }
        }
    }
}

extension Notice: JSONModel {
    static let json = JSONObject(
        Notice.init(_:isGood:undo:), .field("text", \.text), .field("isGood", \.isGood), .field("undo", \.undo))
}

extension Notice.Undo: JSONModel {
    static let json = JSONObject(
        Notice.Undo.init(action:fields:), .field("action", \.action), .field("fields", \.fields))
}

extension Notice.Field: JSONModel {
    static let json = JSONObject(Notice.Field.init, .field("name", \.name), .field("value", \.value))
}

/// Keeps a notice in a cookie until the next page. It is signed, so that only the shop can make a page show a text
/// or a form.
struct Notices {
    private static let list = "notice"
    /// Bytes of a cookie that browsers and `CookieJar` keep for certain.
    private static let longest = 1_900

    private let site: Site

    init(_ site: Site) {
        self.site = site
    }

    /// A notice that is too long for a cookie loses its undo.
    func put(_ notice: Notice, into cookies: CookieJar) {
        let short = Notice(String(notice.text.prefix(200)), isGood: notice.isGood)
        for notice in [notice, short] {
            guard let text = try? site.pager.cursors.cursor(notice, for: Self.list), text.utf8.count <= Self.longest
            else { continue }
            return cookies.set(.notice, to: text, for: 60)
        }
    }

    /// The notice of the cookie, which is removed.
    func take(from cookies: CookieJar) -> Notice? {
        guard let text = cookies[.notice] else { return nil }
        cookies.remove(.notice)
        return try? site.pager.cursors.position(Notice.self, from: text, for: Self.list)
    }
}

extension Submission {
    /// Tells the visitor on the next page what the form has done.
    func tell(_ text: String, undo: Notice.Undo? = nil) {
        Notices(site).put(Notice(text, undo: undo), into: visit.cookies)
    }

    /// The same with a text in the visitor's language.
    ///
    /// - Parameter key: that of the text, without `notice-`.
    func notice(_ key: String) { tell(site.text("notice-" + key, visit)) }
}
