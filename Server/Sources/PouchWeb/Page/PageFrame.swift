import PouchEntities

/// The values that all pages have, around those of their own.
struct PageFrame: PageValues {
    struct Shop: PageValues {
        let name, url: String
        let addressLines: [String]
    }

    /// A link of the header's menu.
    struct MenuLink: PageValues {
        let name, url: String
        let isCurrent: Bool
    }

    /// The page in another language.
    struct LanguageLink: PageValues {
        let code, name, url: String
        /// The form whose entries are sent along; nil for a plain link.
        let formId: String?
        let isCurrent: Bool
    }

    /// The page in another language, for search engines.
    struct Alternate: PageValues {
        let code, url: String
    }

    /// The preview of a link to the page (Open Graph).
    struct Preview: PageValues {
        struct Price: PageValues {
            let amount, currency: String
        }

        let type, heading, url, locale: String
        let price: Price?
        let summary, picture: String?
    }

    let lang, title: String
    let description, canonical: String?
    /// Whether search engines are to leave the page out.
    let isPrivate: Bool
    let alternates: [Alternate]
    let openGraph: Preview?
    /// JSON, which is written as it is.
    let jsonLd: String?
    /// Addresses of files.
    let style, script, icon, feed: String
    let shop: Shop
    let menu: [MenuLink]
    let languages: [LanguageLink]
    let pricesNote, searchText: String
    /// Gaps, which `PageBytes` fills for each visitor.
    let csrf, key, cartCount: String
    let notice: Notice.Values?
    let errors: FormErrors?
    /// Where the partial `form-errors` belongs, which is rendered after the page.
    let errorsPlace: String?
}

/// The values of the partial `pager`: links to other pages of a list, each nil where it leads nowhere.
struct PagerLinks: PageValues {
    let text: String
    var firstUrl, previousUrl, nextUrl: String?
}

extension Site {
    func frame(
        of content: PageContent, _ visit: Visit, menu: [PageFrame.MenuLink], errors: FormErrors?
    ) -> PageFrame {
        let url = content.canonicalPath.map { settings.publicURL + $0 }
        func address(in language: Language?) -> String? {
            url.map { PagePath.adding([("lang", language?.rawValue)], to: $0) }
        }
        // Search engines want each address among the alternates to be its own canonical one.
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
            languages: languages(visit, content), pricesNote: pricesNote(visit), searchText: "",
            csrf: PageBytes.Gap.csrf.marker, key: PageBytes.Gap.key.marker,
            cartCount: PageBytes.Gap.cartCount.marker, notice: content.notice.map(Notice.Values.init), errors: errors,
            errorsPlace: errors == nil ? nil : FormErrors.place)
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

    func pricesNote(_ visit: Visit) -> String {
        guard !shop.taxes.regions.isEmpty else { return text("prices-untaxed", visit) }
        return text(shop.taxes.pricesIncludeTax ? "prices-with-tax" : "prices-without-tax", visit)
    }
}
