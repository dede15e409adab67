import Foundation
import PouchDomain
import PouchEntities
import PouchTemplates

/// The values of all pages, around the page's own values.
struct PageFrame: TemplateValues {
    struct Shop: TemplateValues {
        let name, url: String
        let addressLines: [String]
    }

    /// A link in a menu.
    struct MenuLink: TemplateValues {
        let name, url: String
        let isCurrent: Bool
    }

    /// A link to the page in another language.
    struct LanguageLink: TemplateValues {
        let code, name, url: String
        /// The form whose entries are sent with the request; nil for a plain link.
        let formId: String?
        let isCurrent: Bool
    }

    /// An alternate address of the page in another language, for search engines.
    struct Alternate: TemplateValues {
        let code, url: String
    }

    /// The link preview of the page (Open Graph).
    struct Preview: TemplateValues {
        struct Price: TemplateValues {
            let amount, currency: String
        }

        let type, heading, url, locale: String
        let price: Price?
        let summary, picture: String?
    }

    let lang, title: String
    let description, canonical: String?
    /// Whether search engines should not index the page.
    let isPrivate: Bool
    let alternates: [Alternate]
    let openGraph: Preview?
    /// The structured data as JSON, written without escaping.
    let jsonLd: String?
    /// The addresses of files.
    let style, script, icon, feed: String
    let shop: Shop
    let menu: [MenuLink]
    let languages: [LanguageLink]
    let pricesNote, searchText: String
    /// The gaps that `PageBytes` fills for each visitor.
    let csrf, key, cartCount: String
    let notice: Notice?
    let errors: FormErrors?
    /// The placeholder for the partial `form-errors`, which is rendered after the page.
    let errorsPlace: String?
}

/// The values of the partial `pager`: links to other pages of a list, each nil if there is no such page.
struct PagerLinks: TemplateValues {
    let text: String
    var firstUrl, previousUrl, nextUrl: String?
}

extension Site {
    func frame(of content: PageContent, _ visit: Visit, menu: [PageFrame.MenuLink], errors: FormErrors?) -> PageFrame {
        let url = content.canonicalPath.map { settings.publicURL + $0 }
        func address(in language: Language?) -> String? {
            url.map { PagePath.adding([("lang", language?.rawValue)], to: $0) }
        }
        // Search engines expect each alternate address to be its own canonical address.
        let canonical = address(in: visit.namedLanguage)
        let alternates = Language.allCases.map { ($0.rawValue, address(in: $0)) } + [("x-default", url)]
        return PageFrame(
            lang: visit.language.rawValue,
            title: content.title == settings.shopName ? content.title : "\(content.title) – \(settings.shopName)",
            description: content.description, canonical: canonical, isPrivate: url == nil,
            alternates: alternates.compactMap { code, url in url.map { .init(code: code, url: $0) } },
            openGraph: canonical.map { preview(of: content, at: $0, visit.language) }, jsonLd: content.facts,
            style: theme.path(content.script + "-style"), script: theme.path(content.script), icon: theme.path("icon"),
            feed: PagePath.feed(visit.language),
            shop: .init(name: settings.shopName, url: "/", addressLines: settings.shopAddress), menu: menu,
            languages: languages(visit, content), pricesNote: visit.pricesNote, searchText: "",
            csrf: PageBytes.Gap.csrf.marker, key: PageBytes.Gap.key.marker, cartCount: PageBytes.Gap.cartCount.marker,
            notice: content.notice, errors: errors, errorsPlace: errors == nil ? nil : FormErrors.place)
    }

    private func preview(of content: PageContent, at url: String, _ language: Language) -> PageFrame.Preview {
        PageFrame.Preview(
            type: content.kind, heading: content.title, url: url, locale: language.locale.identifier,
            price: content.price.map { .init(amount: $0.decimal, currency: $0.currency.code) },
            summary: content.description, picture: content.picture.map(absolute))
    }

    private func languages(_ visit: Visit, _ content: PageContent) -> [PageFrame.LanguageLink] {
        let address = content.form?.address ?? content.address ?? visit.path
        return Language.allCases.map { language in
            PageFrame.LanguageLink(
                code: language.rawValue, name: language.ownName,
                url: PagePath.adding([("lang", language.rawValue)], to: address), formId: content.form?.id,
                isCurrent: language == visit.language)
        }
    }
}

/// A choice in a `select`, or in a group of checkboxes or radio buttons.
///
///     let categories = taxonomy.categories.map { Choice($0.id, $0.name) }
///     let values = categories.values(chosen: visit.query("category"))
struct Choice: Sendable {
    /// The choice in a template.
    struct Values: TemplateValues {
        let index: Int
        let value, label, text: String
        let isSelected: Bool
    }

    let value: String
    let label: String
    /// A text that explains the label; blank for none.
    let text: String

    init(_ value: String, _ label: String, text: String = "") {
        self.value = value
        self.label = label
        self.text = text
    }
}

extension [Choice] {
    /// The values of the choices in a template.
    func values(chosen: Set<String>) -> [Choice.Values] {
        enumerated().map { index, choice in
            Choice.Values(
                index: index, value: choice.value, label: choice.label, text: choice.text,
                isSelected: chosen.contains(choice.value))
        }
    }

    /// - Parameter chosen: the single chosen value; nil for none.
    func values(chosen: String?) -> [Choice.Values] { values(chosen: Set([chosen].compactMap(\.self))) }
}
