import Hummingbird
import PouchEntities
import PouchTemplates

/// A page before it is rendered: its values, and the contents of its head.
///
///     PageContent(PasswordValues(email: profile.email), title: "Password")
struct PageContent: Sendable {
    var values: any PageModel
    /// The title of the browser tab, without the shop's name.
    var title: String
    /// The values of a frame inside the frame of all pages, such as the administration's.
    var frame: (any TemplateValues)?
    /// The notice to show, unless a form has left one for this page.
    var notice: Notice?
    var failure: Failure
    var status = HTTPResponse.Status.ok
    /// The description for search engines and link previews; nil for none.
    var description: String?
    /// The canonical path of the page, for search engines; nil for a page that they should not index.
    var canonicalPath: String?
    /// The path of the page with its required query, for the links to other languages; nil for the path of the
    /// request.
    var address: String?
    /// The form whose entries are kept when the visitor changes the language.
    var form: Form?
    /// The type for link previews (Open Graph).
    var kind = "website"
    /// The picture for link previews.
    var picture: String?
    /// The price for link previews of a product.
    var price: Money?
    /// Structured data for search engines, as JSON-LD.
    var facts: String?
    /// The script of the page; the shop's, unless the page belongs to another part.
    var script = "shop"
    /// The media type; HTML, unless the template writes something else, such as a feed.
    var mediaType: String
    /// Additional headers of the response.
    var headers: HTTPFields = [:]

    struct Form: Sendable {
        let id: String
        /// The form address that shows the page again, without any effect that the visitor would not expect.
        let address: String
    }

    /// The errors that the page shows with its form.
    enum Failure: Sendable {
        /// The errors of the submitted form, whose input ids have the prefix of the site's part.
        case ofVisit
        /// The errors of the submitted form, whose input ids have this prefix.
        case ofInputs(prefix: String)
        case own(FormErrors)
        case none
    }

    init(
        _ values: some PageModel, title: String = "", mediaType: String = PageHeaders.html,
        failure: Failure = .ofVisit
    ) {
        self.values = values
        self.title = title
        self.mediaType = mediaType
        self.failure = failure
    }

    var template: String { PageModels.template(of: values) }

    func errors(of visit: Visit) -> FormErrors? {
        switch failure {
        case .ofVisit: visit.failure?.errors(prefix: visit.part.inputPrefix)
        case .ofInputs(let prefix): visit.failure?.errors(prefix: prefix)
        case .own(let errors): errors
        case .none: nil
        }
    }
}

/// The outcome of a form that took effect: the address of a page, a page without an address of its own, or a response
/// to a script.
protocol FormOutcome: Sendable {
    func response(to visit: Visit) async throws -> Response
}

extension PageContent: FormOutcome {
    func response(to visit: Visit) async throws -> Response { try await visit.site.response(self, visit) }
}

extension Response: FormOutcome {
    func response(to visit: Visit) -> Response {
        var response = self
        visit.cookies.write(to: &response)
        return response
    }
}

/// A redirect to the page that shows the outcome of a form, or to the page that replaced another.
struct Redirect: Error, FormOutcome {
    let location: String
    /// Whether search engines should drop the old address.
    let isPermanent: Bool

    /// - Parameter location: a path on this server, with its query.
    init(to location: String, isPermanent: Bool = false) {
        self.location = location
        self.isPermanent = isPermanent
    }

    func response(to visit: Visit) -> Response {
        // Browsers must not store the redirect: another product may take over the old handle.
        let response = Response(
            status: isPermanent ? .movedPermanently : .seeOther,
            headers: [.location: location, .cacheControl: "no-store"])
        return response.response(to: visit)
    }

    /// The path in a query, if it is on this server. Any other address could lead the visitor to a copy of the
    /// shop.
    static func localPath(_ text: String?) -> String? {
        guard let text, text.hasPrefix("/"), !text.hasPrefix("//"), !text.hasPrefix("/\\"), text.utf8.count <= 512,
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return nil }
        return text
    }
}

/// The values of a page. `PageModels.pages` names the template of each type.
protocol PageModel: TemplateValues {}

/// The values of all pages. An owner's templates may use their names.
enum PageModels {
    /// The values around those of a page.
    static let frames: [any TemplateValues.Type] = [PageFrame.self, AccountFrame.self, AdminFrame.self]

    static let all: [any PageModel.Type] = Array(pages.values)

    /// The values of each template. The name is that of the template's file, without `.mustache`.
    static let pages: [String: any PageModel.Type] = [
        // The shop.
        "home": HomeValues.self, "product-list": ProductListValues.self, "product": ProductPageValues.self,
        "suggestions": SuggestionsValues.self, "cart": CartValues.self, "checkout": CheckoutValues.self,
        "order": OrderValues.self, "orders": OrdersValues.self, "order-link": OrderLinkValues.self,
        "problem": ProblemValues.self, "notice": NoticeValues.self, "docs": DocsValues.self, "feed": FeedValues.self,
        "sitemap": SiteMapValues.self, "sitemap-index": SiteMapIndexValues.self, "robots.txt": RobotsValues.self,
        "llms.txt": LLMsValues.self,
        // Accounts.
        "sign-in": SignInValues.self, "sign-up": SignUpValues.self, "account": AccountValues.self,
        "profile": ProfileValues.self, "email": EmailValues.self, "password": PasswordValues.self,
        "addresses": AddressesValues.self, "address": AddressValues.self, "sessions": SessionsValues.self,
        "data": DataValues.self, "reset-request": ResetRequestValues.self, "reset-password": ResetPasswordValues.self,
        "verify-email": VerifyEmailValues.self, "join-staff": JoinStaffValues.self,
        // The administration.
        "admin-today": TodayValues.self, "admin-orders": AdminOrdersValues.self, "admin-order": AdminOrderValues.self,
        "admin-packing-slip": PackingSlipValues.self, "admin-invoice": InvoiceValues.self,
        "admin-customers": CustomersValues.self, "admin-customer": CustomerValues.self,
        "admin-products": AdminProductsValues.self, "admin-product": AdminProductValues.self,
        "admin-conflict": AdminConflictValues.self, "admin-stock": AdminStockValues.self,
        "admin-categories": AdminTaxonomyValues.self, "admin-front-page": AdminFrontPageValues.self,
        "admin-import": AdminImportValues.self, "admin-discounts": DiscountsValues.self,
        "admin-discount": DiscountValues.self, "admin-prices": PricesValues.self, "admin-settings": SettingsValues.self,
        "admin-webhooks": WebhooksValues.self, "admin-webhook": WebhookValues.self,
        "admin-mails": AdminMailsValues.self, "admin-mail": AdminMailValues.self, "admin-staff": StaffValues.self,
        "admin-keys": KeysValues.self, "admin-audit": AuditValues.self, "admin-health": HealthValues.self,
        "admin-search": AdminSearchValues.self, "admin-shortcuts": ShortcutsValues.self,
        "admin-sign-in": AdminSignInValues.self, "admin-confirm": AdminConfirmValues.self,
        "admin-second-factor": AdminSecondFactorValues.self, "admin-problem": AdminProblemValues.self,
        "admin-styleguide": StyleguideValues.self,
    ]

    private static let templates = Dictionary(uniqueKeysWithValues: pages.map { (ObjectIdentifier($1), $0) })

    static func template(of values: any PageModel) -> String { templates[ObjectIdentifier(type(of: values))] ?? "" }
}
