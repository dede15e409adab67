import Hummingbird
import PouchContract
import PouchHTTP
import PouchMail
import PouchWire

/// The pages of the shop and of its administration.
///
///     let pages = WebPages(services, settings)
///     let (router, _, actions) = ShopRouter.build(services, refusals: pages.refusals)
///     pages.add(to: router, actions: actions)
public struct WebPages: Sendable {
    private let site: Site
    private let paths = PagePaths()

    public init(_ services: ShopServices, _ settings: WebSettings) {
        site = Site(services, settings)
    }

    /// Middleware that responds to refused browser requests with pages.
    public var refusals: any MiddlewareProtocol<Request, Response, PouchRequestContext> {
        RefusalPages(visits: Visits(site: site), paths: paths)
    }

    /// Adds the routes of all pages.
    ///
    /// - Parameters:
    ///   - router: the API's router, whose middleware also counts, measures and logs page requests.
    ///   - actions: the API's routes, which forms call.
    public func add(to router: Router<PouchRequestContext>, actions: RouteTable) {
        site.use(actions)
        let routes = PageRoutes(site: site, router: router, registeredPaths: paths)
        routes.addFiles()
        routes.addShop()
        routes.addAdministration()
    }
}

extension PageRoutes {
    fileprivate func addShop() {
        catalog("/") { HomePage(visit: $0, catalog: $1).content }
        addProductLists()
        addProductPage()
        addDiscovery()
        addFormerAddresses()
        addCartPages()
        addCheckoutPages()
        addOrderPages()
        addSessionPages()
        addAccountPages()
        addAddressPages()
        addMailLinkPages()
        addDocs()
    }

    fileprivate func addAdministration() {
        addAdminSignIn()
        admin(.today) { try await TodayPage(admin: $0).content() }
        admin("/admin/shortcuts", nil) { _ in PageContent(ShortcutsValues(), title: "Keyboard shortcuts") }
        admin("/admin/search", .readOrders) { try await AdminSearchPage(admin: $0).content() }
        addAdminOrderPages()
        addProductListPages()
        addProductPages()
        addPictureForm()
        addImportPages()
        addStockPages()
        addTaxonomyPages()
        addFrontPageForm()
        admin(.customers) { try await $0.customersPage() }
        admin(.customers, "/{id}") { try await $0.customerPage() }
        // Files for spreadsheets.
        answer("/admin/exports/products", by: Contract.exportProducts)
        answer("/admin/exports/orders", by: Contract.exportOrders) { OrderSelection($0).query }
        answer("/admin/exports/customers", by: Contract.exportCustomers)
        answer("/admin/exports/stock", by: Contract.exportStock)
        addDiscountPages()
        addPricePages()
        admin(.settings) { SettingsPage(admin: $0).content() }
        addWebhookPages()
        addMailPages()
        addStaffPages()
        addKeyPages()
        admin(.audit) { try await AuditPage(admin: $0).content() }
        let checks = HealthChecks()
        admin(.health) { try await HealthPage(admin: $0, checks: checks).content() }
        addAdminSecondFactor()
        if site.settings.showsStyleguide {
            admin("/admin/styleguide", nil) { _ in StyleguidePage.content }
        }
    }

    /// Adds the stylesheet, scripts and icon. Their addresses contain a digest of the text, so browsers may cache them.
    fileprivate func addFiles() {
        let theme = site.theme
        router.get("/web/{file}") { request, _ in
            guard let asset = theme.asset(path: request.uri.path) else { throw RequestProblem(.notFound) }
            return asset.response(to: request)
        }
        // Browsers request it for a document without an icon, such as a packing slip.
        router.get("/favicon.ico") { _, _ in
            Response(status: .found, headers: [.location: theme.path("icon"), .cacheControl: "public, max-age=86400"])
        }
    }
}

/// Shows browsers a page where programs receive the API's response: for an unknown address, and for a request that was
/// refused before it reached its route, such as one that exceeds its network's rate limit.
private struct RefusalPages: RouterMiddleware {
    let visits: Visits
    let paths: PagePaths

    func handle(
        _ request: Request, context: PouchRequestContext, next: (Request, PouchRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            if RequestProblem(error)?.code == .notFound, let allowed = paths.allowed(for: request) {
                throw RequestProblem(allowing: allowed)
            }
            guard Self.isForPage(request) else { throw error }
            return try await visits.answer(request, context) { _ in throw error }
        }
    }

    /// Whether a browser requests a page or sends a form, rather than an API request or a request for a file.
    private static func isForPage(_ request: Request) -> Bool {
        let path = request.uri.path
        return [.get, .head, .post].contains(request.method)
            && request.headers[.accept]?.contains("text/html") == true
            && !path.hasPrefix("/v1/") && !path.hasPrefix("/web/") && Endpoint.at(path).isEmpty
    }
}

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
