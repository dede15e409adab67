extension Endpoint {
    public static let importCatalog = Endpoint("importCatalog", .post, "/v1/admin/imports", .admin)
    public static let catalogImport = Endpoint("catalogImport", .get, "/v1/admin/imports/{id}", .admin)

    static let imports = [importCatalog, catalogImport]
}
