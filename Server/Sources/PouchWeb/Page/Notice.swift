import Foundation
import PouchHTTP
import PouchJSON
import PouchTemplates
import PouchWire

/// A message about the effect of a form, shown once on the next page, with a form to undo it if that is simple.
///
///     submission.tell("Tracking was removed.", undo: .init(action: path, fields: fields))
struct Notice: Sendable, Equatable {
    /// A form that undoes the change.
    struct Undo: Sendable, Equatable {
        /// The path that the form is sent to.
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
    /// Whether the form had the effect that the visitor requested.
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
    struct Values: TemplateValues {
        struct Undo: TemplateValues {
            let action, label: String
            let fields: [Field]
        }

        struct Field: TemplateValues {
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
                    action: undo.action, label: "Undo",
                    fields: undo.fields.map { .init(name: $0.name, value: $0.value) })
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

/// Stores a notice in a cookie until the next page. It is signed, so that only the shop can make a page show a text
/// or a form.
struct Notices {
    private static let list = "notice"
    /// The cookie size, in bytes, that browsers and `CookieJar` accept reliably.
    private static let longest = 1_900

    private let site: Site

    init(_ site: Site) {
        self.site = site
    }

    /// Stores a notice. If it is too long for a cookie, it loses its undo form.
    func put(_ notice: Notice, into cookies: CookieJar) {
        let short = Notice(String(notice.text.prefix(200)), isGood: notice.isGood)
        for notice in [notice, short] {
            guard let text = try? site.pager.cursors.cursor(notice, for: Self.list), text.utf8.count <= Self.longest
            else { continue }
            return cookies.set(.notice, to: text, for: 60)
        }
    }

    /// Removes the notice from the cookies and returns it.
    func take(from cookies: CookieJar) -> Notice? {
        guard let text = cookies[.notice] else { return nil }
        cookies.remove(.notice)
        return try? site.pager.cursors.position(Notice.self, from: text, for: Self.list)
    }
}

extension Submission {
    /// Shows a notice about the form's effect on the next page.
    func tell(_ text: String, undo: Notice.Undo? = nil) {
        Notices(site).put(Notice(text, undo: undo), into: visit.cookies)
    }

    /// Shows a notice with a text in the visitor's language.
    ///
    /// - Parameter key: the key of the text, without `notice-`.
    func notice(_ key: String) { tell(site.text("notice-" + key, visit)) }
}
